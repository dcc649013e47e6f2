# Functions for other programs in awk, with LC_ALL=C: messages of tools/zh_messages.tsv, and columns with Chinese in them.

# say(text): the Chinese for it, if the locale is Chinese and the table has it; see tools/learn/setup.sh.
function say(text,    line, part) {
  while (ENVIRON["LEARN_CHINESE"] && (getline line <(ENVIRON["LEARN_CHINESE"] "/zh_messages.tsv")) > 0) {
    split(line, part, "\t")
    chinese[part[1]] = part[2]
  }
  return text in chinese ? chinese[text] : text
}

# han(text): how many Chinese characters it has; each takes two columns, and three bytes.
function han(text) { return gsub(/[\343-\351\357][\200-\277][\200-\277]/, "", text) }
function columns(text) { return length(text) - han(text) }
function cell(text, n) { return sprintf("%-" (n + han(text)) "s", text) }
