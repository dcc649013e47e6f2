# Checks the links of a site that was built: every href and src must lead to a file that is there, and
# to an id that is in it. Reads all its HTML files; their folder is the current one. Prints what is
# wrong, exit status 1.

function normal(path) {
  gsub(/\/\.\//, "/", path)
  sub(/^\.\//, "", path)
  while (match(path, /[^\/]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
  return path
}

function exists(path,    line, there) {
  if (!(path in known)) {
    known[path] = (getline line < path) >= 0
    close(path)
  }
  return known[path]
}

FNR == 1 {
  file = FILENAME
  sub(/^\.\//, "", file)
  folder = file
  if (!sub(/[^\/]*$/, "", folder)) folder = ""
  known[file] = html[file] = 1
}
/<script/ && !/<\/script>/ { script = 1 }
/<\/script>/ { script = 0 }
script { next }
/ (id|name|href|src)="/ {
  rest = $0
  while (match(rest, / (id|name|href|src)="[^"]*"/)) {
    attribute = substr(rest, RSTART + 1, RLENGTH - 2)
    rest = substr(rest, RSTART + RLENGTH)
    value = substr(attribute, index(attribute, "\"") + 1)
    if (attribute ~ /^(id|name)/) ids[file "#" value] = 1
    # Doxygen itself links to the list of nested classes where they are all private, and it makes none.
    else if (value !~ /^([a-z]+:|$)/ && value != "#nested-classes") from[value ~ /^#/ ? file value : normal(folder value)] = file
  }
}

END {
  for (link in from) {
    links++
    path = link
    sub(/#.*/, "", path)
    if (!exists(path)) wrong[++n] = from[link] ": there is no " path
    else if (link ~ /#./ && path in html && !(link in ids)) wrong[++n] = from[link] ": there is no place " link
  }
  for (i = 1; i <= n; i++) print wrong[i]
  if (links < 100) print "only " links + 0 " links: is this the site?"
  exit n > 0 || links < 100
}
