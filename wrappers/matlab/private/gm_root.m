function folder = gm_root()
%GM_ROOT  The folder that holds the folder wrappers: a source tree, or the installed package.
  folder = fileparts(fileparts(fileparts(fileparts(mfilename('fullpath')))));
end
