cd /tmp/w/red
for t in "bytes come*" "a client comes*" "a datagram comes*" "a file changes*" "waking those*" "a file is open*" "without memory for what*" "a child that*" "who cannot*" "with_timeout*memory*" "for_each*memory*" "a reactor that*"; do
 timeout 5 ./red "$t" > out 2>&1; s=$?; echo "== $t: status $s: $(grep -E '^  [a-z{"].*==|std::|assertions|FAILED:|SIG' out | head -4 | tr '\n' '|')"
done
