function python = gm_written_by()
%GM_WRITTEN_BY  The Python that wrote the package for Octave's pkg; '' in a folder that is not of such a package.
  python = '';
end
