#compdef service-sim
# zsh completion of service-sim. In ~/.zshrc, after compinit:
#   source <(service-sim completion zsh)
_service-sim() {
  local called='' previous="${words[CURRENT-1]}" files=''
  local -a offered
  (( CURRENT > 2 )) && called="${words[2]}"
  case "$called" in
    (@groups@)
      (( CURRENT > 3 )) && called="$called ${words[3]}" ;;
    (@runners@)
      local -i end=${words[(i)--]}
      if (( end < CURRENT )); then
        words=("${(@)words[end+1,-1]}")
        (( CURRENT -= end ))
        _normal
        return
      fi ;;
  esac
  if [[ $PREFIX == --*=* ]]; then
    previous="${PREFIX%%=*}"
    compset -P '*='
  fi
  case "$called $previous" in
@values@
    (*)
      case "$called" in
@places@
@commands@
      esac ;;
  esac
  local -i found=1
  (( $#offered )) && _describe 'service-sim' offered && found=0
  [[ -n $files ]] && _files && found=0
  return found
}
if [[ $funcstack[1] == _service-sim ]]; then
  _service-sim "$@"
else
  compdef _service-sim service-sim
fi
