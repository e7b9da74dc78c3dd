# SPDX-License-Identifier: GPL-3.0-or-later
# Bash completion for fumehoodctl: commands, options and their values are those of its --help.

_fumehoodctl_help ()
{
  LC_ALL=C.UTF-8 LANGUAGE= "${COMP_WORDS[0]}" "$@" 2> /dev/null
}

# The argument of an option: a choice of words, such as "off|attempts|files", or a name, such as
# "FILE", which the help may explain as a list of words.
_fumehoodctl_values ()
{
  local argument words

  argument=$(sed -nE "s/^  (-., )?$2=\[?([^] ]*).*/\2/p" <<< "$1")
  case $argument in
    *'|'*) compgen -W "${argument//|/ }" -- "$3" ;;
    FOLDER) compgen -d -- "$3" ;;
    FILE | PATH) compgen -f -- "$3" ;;
    *[!A-Z]*) ;;
    ?*)
      # A list may go on in the next line.
      words=$(sed -nE "/^  $argument  /{s/^  $argument  +//;s/,$/, /;/, $/{N;s/\n +//};/^[a-z-]+(, [a-z-]+)+$/p}" <<< "$1")
      compgen -W "${words//,/ }" -- "$3"
      ;;
  esac
}

_fumehoodctl ()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} help

  COMPREPLY=()
  compopt +o nospace
  if (( COMP_CWORD == 1 )); then
    help=$(_fumehoodctl_help --help | sed -nE '3,$s/^  ([a-z]+).*/\1/p')
    COMPREPLY=($(compgen -W "$help --help --version" -- "$word"))
    return
  fi
  help=$(_fumehoodctl_help "${COMP_WORDS[1]}" --help-all)
  # "=" is a word of its own.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $before in
    -?) before=$(sed -nE "s/^  $before, (--[a-z-]+)=.*/\1/p" <<< "$help") ;;
  esac
  if [[ $before == --?* && $help =~ "  "$before= || $help =~ ", "$before= ]]; then
    mapfile -t COMPREPLY < <(_fumehoodctl_values "$help" "$before" "$word")
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$(sed -nE 's/^  (-., )?(--[a-z-]+=?).*/\2/p' <<< "$help")" -- "$word"))
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  elif (( COMP_CWORD == 2 )) && [[ $help == *Actions:* ]]; then
    help=$(sed -nE '/^Actions:/,/^$/s/^  ([a-z-]+).*/\1/p' <<< "$help")
    COMPREPLY=($(compgen -W "$help" -- "$word"))
  else
    compopt -o default
  fi
}

complete -F _fumehoodctl fumehoodctl
