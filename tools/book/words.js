// Puts words together: a text, [key, what it speaks of, ...] or a list of such words.
const tell = (said) => {
  if (!Array.isArray(said)) return `${said}`.replace(/^task (\d+)$/, (_, id) => words['task {1}'].replace('{1}', id));
  const [key, what] = said;
  if (!said.length || Array.isArray(key)) return said.map(tell).join(words[', ']);
  return what === undefined && !words[key] ? tell(key) : (words[key] ?? key).replace(/\{(\d)\}/g, (_, n) => tell(said[n]));
};
const word = (...said) => tell(said);
// As HTML: what is between backticks is code.
const sentence = (said) => tell(said).replace(/^[tl](?=ask \d|he |ine \d)/, (first) => first.toUpperCase()).replace(/[^.!?。]”$/, (end) => end + words['full stop']).replace(/[&<]/g, (sign) => sign === '<' ? '&lt;' : '&amp;').replace(/`([^`]*)`/g, '<code>$1</code>');
