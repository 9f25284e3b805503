function yes = gm_is_octave()
%GM_IS_OCTAVE  Whether this is GNU Octave, not MATLAB.
  yes = exist('OCTAVE_VERSION', 'builtin') ~= 0;
end
