# A measure without an argument: a bar for each contestant, on a logarithmic axis.
set datafile separator tab
stats data using 2 nooutput name 'STATS'
set terminal svg size 860,(70 + 30 * STATS_records) dynamic font 'sans-serif,14' background '#ffffff'
set output out
set logscale x
from = STATS_min / 3
set xrange [from:STATS_max * 8]
set yrange [STATS_records - 0.4:-0.6]
set xlabel what
set border 0
unset xtics
set ytics nomirror scale 0
set style fill solid
unset key
plot data using (from):0:(from):2:($0 - 0.35):($0 + 0.35):ytic(1) with boxxyerror lc rgb '#0072b2', \
     data using 2:0:3 with labels left offset 0.7,0 noenhanced
