# Prints what has happened, and in which line of the reader, from the report of a sanitizer; for
# tools/exercise/judge, with tools/learn/say.awk. Variable: at (the reader's folder).

# Only the first thing that has happened counts.
function happens(text) {
  if (!happened) happened = text
}

# The place in the reader's folder that the line names, without its column.
function place(line) {
  line = substr(line, index(line, at))
  match(line, /^[^:]*:[0-9]+/)
  return substr(line, 1, RLENGTH)
}

/Assertion '.*' failed/ { happens(substr($0, index($0, "Assertion"))) }
/terminate called after throwing an instance of/ {
  sub(/.* of /, "")
  happens(sprintf(say("%s is not caught"), $0))
}
/^Error: / { happens(substr($0, 8)) }
/ runtime error: / { happens(substr($0, index($0, "runtime error: ") + 15)) }
/ERROR: AddressSanitizer: / {
  sub(/.*AddressSanitizer: /, "")
  sub(/:? (on )?(unknown )?(address )?([(]pc |0x).*/, "")
  happens($0)
}
happened && !where && index($0, at) && (/ runtime error: / || /^ *#[0-9]+ /) { where = place($0) ":" }
END {
  if (where) where = where (length(where happened) > 75 ? "\n      " : " ")
  if (happened) print "    " where happened
}
