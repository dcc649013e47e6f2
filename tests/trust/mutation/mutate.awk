# Reads a header of a step, prints it with a switch at each place where it may be broken, and writes what
# would be broken into the file LIST, a line each: number, file, line, what, the line itself. The copy has
# the same lines. One mutant at a time is switched on when the tests run, so that they are built once.
#
#   drop   the statement is left out         true, false  so the condition is
#   value  another value, see mutant.hpp     <= for <     an operator or a word is another
#
# -v file=NAME, -v first=N: the number of its first mutant, -v list=LIST, -v dropped=FILE: the numbers of
# those that the compiler refuses.

BEGIN {
  while ((getline number <dropped) > 0) refused[number] = 1
  next_number = first
  pairs = split("< <=,<= <,> >=,>= >,== !=,!= ==,&& ||,|| &&,+ -,- +", pair, ",")
  for (i = 1; i <= pairs; ++i) {
    split(pair[i], two, " ")
    from[i] = " " two[1] " "
    to[i] = " " two[2] " "
  }
  split("true false,false true,push_back push_front,push_front push_back,++ --,-- ++", pair, ",")
  for (i = 1; i in pair; ++i) {
    split(pair[i], two, " ")
    from[++pairs] = two[1]
    to[pairs] = two[2]
  }
  fresh = 1
}

# A mutant of this line; its number, or 0 if the compiler refused it.
function mutant(what) {
  if (!((next_number) in refused)) {
    printf "%d\t%s\t%d\t%s\t%s\n", next_number, file, NR, what, trimmed >list
    return next_number++
  }
  ++next_number
  return 0
}

# Where the parenthesis that opens at `start` closes; 0 if not on this line.
function closing(text, start, i, depth, c) {
  for (i = start; i <= length(text); ++i) {
    c = substr(text, i, 1)
    if (c == "(") ++depth
    if (c == ")" && --depth == 0) return i
  }
  return 0
}

# Calls for each operator of `text`: variants[1..n], names[1..n].
function vary(text, i, at, rest, before, n) {
  n = 0
  for (i = 1; i <= pairs; ++i) {
    before = ""
    rest = text
    while ((at = index(rest, from[i])) > 0) {
      variants[++n] = before substr(rest, 1, at - 1) to[i] substr(rest, at + length(from[i]))
      names[n] = trim(to[i]) " for " trim(from[i])
      before = before substr(rest, 1, at - 1 + length(from[i]))
      rest = substr(rest, at + length(from[i]))
    }
  }
  return n
}

function trim(text) { gsub(/^ +| +$/, "", text); return text }

function condition(text, n, i, result, m, m2) {
  if (text ~ /[a-z>*&] [*&]*[a-z_]+ = / || text ~ /;/ || text ~ /^constexpr/) return text
  result = "static_cast<bool>(" text ")"
  if (text !~ /co_await/) {
    n = vary(text)
    for (i = 1; i <= n; ++i)
      if (m = mutant(names[i])) result = "(mutant(" m ") ? static_cast<bool>(" variants[i] ") : " result ")"
  }
  m = text == "true" ? 0 : mutant("true")
  m2 = mutant("false")
  return m || m2 ? "decided(" m ", " m2 ", " result ")" : result ~ /mutant/ ? result : text
}

# One whole statement, or the first line of one.
function statement(text, n, i, m, result, value, word) {
  word = text
  sub(/[ ;].*/, "", word)
  if (text ~ /^(if|while|for|\} while) \(/ ) return control(text)
  if (text !~ /= (default|delete);$|\)$/ && (text !~ /\{$/ || text ~ /\[/) && (text ~ /^(return|co_return|throw|break|continue|co_yield|co_await|delete)[ ;]/ || text ~ /^(\+\+|--|\*)?(::)?[A-Za-z_][A-Za-z0-9_:]*(<[A-Za-z0-9_: ,]*>)?(\(|\.|->|\[| [-+|&]?= |\+\+;|--;)/)) {
    if (text ~ /^(return|co_return) [^{].*;$/) {
      value = text
      sub(/^[a-z_]+ /, "", value)
      sub(/;$/, "", value)
      n = vary(value)
      result = ""
      for (i = 1; i <= n; ++i) if (m = mutant(names[i])) result = result "if (mutant(" m ")) " word " " variants[i] "; "
      if (value !~ /co_await/ && value !~ /^(true|false|nullptr|{}|\[.*)$/ && (m = mutant("value"))) value = "changed(" m ", " value ")"
      return "{ " result word " " value "; }"
    }
    if (word == "return" && text != "return;") return text
    if (word == "co_return" && text != "co_return;") return text
    result = ""
    if (text ~ /;$/ && text !~ /co_await|co_yield/) {
      n = vary(text)
      for (i = 1; i <= n; ++i) if (m = mutant(names[i])) result = result "if (mutant(" m ")) " variants[i] " else "
    }
    m = mutant("drop")
    return result (m ? "if (!mutant(" m ")) " : "") text
  }
  if (text !~ /^(using|typedef|template|struct|class|enum|friend|namespace|case|default|else|public|private|static_assert|constexpr|static constexpr|inline constexpr|inline static|explicit|virtual|extern|\[\[)/ &&
      text ~ /^[A-Za-z_][A-Za-z0-9_:<>, *&]* [*&]*[a-z_0-9]+ = [^\[{].*;$/ && text !~ /co_await|co_yield| = (0|default|delete|nullptr|{});$/) {
    return initialized(text)
  }
  if (text ~ /^(const |mutable )*(int|bool|std::size_t|std::int64_t|TaskId|[a-z0-9_:]*_t) [a-z_]+ = 0;$/) return initialized(text)
  return text
}

function initialized(text, at, m) {
  at = index(text, " = ")
  if (!(m = mutant("value"))) return text
  return substr(text, 1, at + 2) "changed(" m ", " substr(text, at + 3, length(text) - at - 3) ");"
}

# if, while and for; and what follows on the same line.
function control(text, open, close_, inner, rest, head, parts) {
  open = index(text, "(")
  close_ = closing(text, open)
  if (!close_) return text
  head = substr(text, 1, open)
  inner = substr(text, open + 1, close_ - open - 1)
  rest = substr(text, close_ + (text ~ /^\}/ ? 1 : 2))
  if (text ~ /^for/) {
    if (split(inner, parts, ";") == 3 && trim(parts[2]) != "") inner = parts[1] "; " condition(trim(parts[2])) ";" parts[3]
  } else {
    inner = condition(inner)
  }
  if (rest ~ /;$/ && text !~ /^\}/) rest = "{ " statement(rest) " }"
  return head inner ") " rest
}

# name_(value) in the list of what a constructor initializes.
function members(text, before, m, value) {
  before = ""
  while (match(text, /[ (][a-z_]+_\((std::move\([a-z_]+\)|[a-z_]+)\)/)) {
    value = substr(text, RSTART, RLENGTH)
    m = mutant("value")
    if (m) {
      sub(/\(/, "(changed(" m ", ", value)
      value = value ")"
    }
    before = before substr(text, 1, RSTART - 1) value
    text = substr(text, RSTART + RLENGTH)
  }
  return before text
}

{
  code = $0
  if (code ~ /^ *(\/\/|#)/ || code ~ /^ *$/) {
    print
    next
  }
  sub(/ *\/\/.*$/, "", code)
  trimmed = trim(code)
  match(code, /^ */)
  indent = substr(code, 1, RLENGTH)
  text = trimmed
  if (text ~ /constexpr|consteval|static_assert|operator new|operator delete/) {
    print
    fresh = text ~ /[;{}:]$/
    next
  }
  if (fresh && text ~ /^\} else if \(/) {
    text = "} else " control(substr(text, 8))
  } else if (match(text, /[^a-z_]\{ [^{};]+; \}[;,)]*$/) && text !~ /^(struct|enum|class|union)/) { # a function in a line
    head = substr(text, 1, RSTART + 2)
    tail = substr(text, RSTART + 3, RLENGTH - 3)
    end = index(tail, ";")
    if (head ~ /\) : /) head = members(head)
    text = head statement(substr(tail, 1, end)) substr(tail, end + 1)
  } else if (text ~ /\) : .*\{\}?$/ || text ~ /^: / || text ~ /^[a-z_]+_\(.*\)(,|\{\}| \{\}| \{)$/) {
    text = members(" " text)
  } else if (fresh) {
    text = statement(text)
  }
  print indent text
  fresh = trimmed ~ /[;{}]$/ || trimmed ~ /^(public|private|protected|default|case .*):/ || trimmed ~ /^(\} )?else$/ || (trimmed ~ /^(\} else )?(if|for|while) \(/ && trimmed ~ /\)$/)
}
END { print next_number > (list ".next") }
