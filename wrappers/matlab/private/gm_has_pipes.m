function yes = gm_has_pipes()
%GM_HAS_PIPES  Whether a program can be started with pipes: by popen2 (Octave) or Java (MATLAB).
  pipes = getenv('GMTOOLBOX_PIPES');
  yes = ~strcmp(pipes, 'none') && ((exist('popen2') && ~strcmp(pipes, 'java')) || usejava('jvm'));  %#ok<EXIST>
end
