seq 10000 -1 1 | sed 's/^/Got: /'
