# bash completion of service-sim. In ~/.bashrc:  eval "$(service-sim completion bash)"
# Words of the line are looked up here and never run; bash 3.2 is enough, and nothing else.
_service_sim() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
  local called="" offered="" files="" at
  COMPREPLY=()
  # bash takes --clock=real apart at the sign.
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ]; then
    previous="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  [ "$COMP_CWORD" -gt 1 ] && called="${COMP_WORDS[1]}"
  case "$called" in
    @groups@)
      [ "$COMP_CWORD" -gt 2 ] && called="$called ${COMP_WORDS[2]}" ;;
    @runners@)
      for ((at = 2; at < COMP_CWORD; at++)); do
        if [ "${COMP_WORDS[at]}" = "--" ]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r at; do COMPREPLY+=("$at"); done < <(compgen -c -f -- "$current")
          return
        fi
      done ;;
  esac
  case "$called $previous" in
@values@
    *)
      case "$called" in
@places@
@commands@
      esac ;;
  esac
  while IFS= read -r at; do COMPREPLY+=("$at"); done < <(compgen -W "$offered" -- "$current")
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r at; do COMPREPLY+=("$at"); done < <(compgen -f -- "$current")
  fi
}
complete -F _service_sim service-sim
