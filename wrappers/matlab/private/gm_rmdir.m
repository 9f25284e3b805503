function gm_rmdir(folder)
%GM_RMDIR  Remove a folder with all that is in it, if it is there.
  if ~isempty(folder) && exist(folder, 'dir')
    if gm_is_octave()
      confirm_recursive_rmdir(false, 'local');
    end
    try
      rmdir(folder, 's');
    catch problem
      if exist(folder, 'dir')  % the process that made it may have removed it first
        rethrow(problem);
      end
    end
  end
end
