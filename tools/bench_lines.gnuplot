# A measure with an argument: a line for each contestant. Both axes are logarithmic, so that equal
# distances are equal ratios.
set terminal svg size 860,430 dynamic font 'sans-serif,14' background '#ffffff'
set output out
set datafile separator tab
set datafile missing '?'
set logscale xy
set format x '%.0f'
set ylabel what
set key outside right center reverse Left
set grid xtics ytics lc rgb '#dddddd'
set border 3
set tics nomirror
set colorsequence podo
stats data skip 1 nooutput
plot for [i = 2:STATS_columns] data using 1:i with linespoints lw 2 title columnhead(i) noenhanced
