function text = gm_text(caller, name, value)
%GM_TEXT  A text argument as a char row, or an error that names it.
  if isa(value, 'string') && numel(value) == 1
    value = char(value);
  end
  if ~ischar(value) || size(value, 1) ~= 1
    error('gmtoolbox:InputError', '%s: %s must be a text, got a %s of size %s', caller, name, class(value), mat2str(size(value)));
  end
  text = value;
end
