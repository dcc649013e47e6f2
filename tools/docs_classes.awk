# Makes the page `api`: the steps, and each class with the steps it is in. Reads tools/steps, then
# Doxygen's tag files of the steps.

FILENAME == "tools/steps" {
  step = substr($1, 1, 6)
  sub(/^[^ ]* */, "")
  title[step] = $0
  next
}
FNR == 1 {
  step = FILENAME
  gsub(/.*\/|[.]tag$/, "", step)
}
/<compound kind="(class|struct)">/ { name = "?" }
name == "?" && /<name>/ {
  name = $0
  gsub(/.*<name>(coop::)?|<\/name>.*/, "", name)
}
name != "" && name != "?" && /<filename>/ {
  file = $0
  gsub(/.*<filename>|<\/filename>.*/, "", file)
  if (name !~ /[:&<]/) {
    if (!(name in where)) names[++count] = name
    where[name] = where[name] (where[name] ? " · " : "") "[step " substr(step, 6) "](api/" step "/" file ")"
  }
  name = ""
}

END {
  print "# Classes, step by step {#api}\n"
  print "Classes of the same name grow from step to step, so each step has pages of its own.\n"
  print "| step | its classes, headers and programs |\n|---|---|"
  for (i = 1; i <= 9; i++) printf "| %d | [%s](api/step0%d/index.html) |\n", i, title["step0" i], i
  print "\n## By name {#api-by-name}\n\nThe steps in which each class is:\n"
  for (i = 2; i <= count; i++) {
    for (j = i; j > 1 && names[j] < names[j - 1]; j--) {
      name = names[j]
      names[j] = names[j - 1]
      names[j - 1] = name
    }
  }
  for (i = 1; i <= count; i++) printf "### %s {#api-%s}\n\n%s\n\n", names[i], names[i], where[names[i]]
}
