# Draws gradients_by_layer.csv, which lies beside this file, as SVG to standard output; with
# gnuplot -e "png=1" gradients_by_layer.gp, as PNG.
data = ARG0[1:strlen(ARG0) - strlen('gradients_by_layer.gp')] . 'gradients_by_layer.csv'
if (exists('png')) {
    set terminal pngcairo noenhanced size 1760,856 font 'sans,13' fontscale 1.5 \
        linewidth 2 pointscale 2 background rgb '#ffffff'
} else {
    set terminal svg noenhanced size 880,428 font 'sans-serif,13' name 'gradients_by_layer' \
        background rgb '#ffffff'
}
set encoding utf8
set datafile separator comma
low = 0.69827079481895371
high = 3.3825264568706555
# An end of an interval that is not finite is its point; the axis cuts the others.
end(v, y) = v == v ? (v < low ? low : v > high ? high : v) : y
set border 3 linecolor rgb '#666666'
set grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 0.7
set errorbars 0.5
set pointintervalbox 0
set tics nomirror out scale 0.5 textcolor rgb '#666666'
set xrange [0.69999999999999996:6.2999999999999998]
set logscale y 10
set yrange [0.69827079481895371:3.3825264568706555]
set multiplot
set label '||dLoss/dW||_F / rms ||g|| (log scale)' at screen 0.006818, screen 0.969626 left textcolor rgb '#333333'
set label 'layer' at screen 0.070455, screen 0.030374 left textcolor rgb '#333333'

set lmargin at screen 0.070455
set rmargin at screen 0.315962
set bmargin at screen 0.135514
set tmargin at screen 0.859813
set xtics ('1' 1, '2' 2, '3' 3, '4' 4, '5' 5, '6' 6)
set ytics ('1' 1, '2' 2, '3' 3)
set label 'post' at screen 0.070455, screen 0.890187 left textcolor rgb '#333333'
set label 'W_1' at screen 0.325053, screen 0.698723 left textcolor rgb '#333333'
set label 'W_2' at screen 0.325053, screen 0.660756 left textcolor rgb '#0b62a4'
set label 'W_V' at screen 0.325053, screen 0.597642 left textcolor rgb '#666666'
plot NaN notitle, \
    data skip 1 every ::0::5 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#333333' notitle, \
    data skip 1 every ::6::11 using ($3+-0.181442):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#333333' notitle, \
    data skip 1 every ::12::17 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#0b62a4' notitle, \
    data skip 1 every ::18::23 using ($3+0):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#0b62a4' notitle, \
    data skip 1 every ::24::29 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#666666' notitle, \
    data skip 1 every ::30::35 using ($3+0.181442):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#666666' notitle
unset label

set lmargin at screen 0.380303
set rmargin at screen 0.625811
set bmargin at screen 0.135514
set tmargin at screen 0.859813
set xtics ('1' 1, '2' 2, '3' 3, '4' 4, '5' 5, '6' 6)
set ytics ('' 1, '' 2, '' 3)
set label 'pre' at screen 0.380303, screen 0.890187 left textcolor rgb '#333333'
set label 'W_1' at screen 0.634902, screen 0.406268 left textcolor rgb '#333333'
set label 'W_2' at screen 0.634902, screen 0.368300 left textcolor rgb '#0b62a4'
set label 'W_V' at screen 0.634902, screen 0.295765 left textcolor rgb '#666666'
plot NaN notitle, \
    data skip 1 every ::36::41 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#333333' notitle, \
    data skip 1 every ::42::47 using ($3+-0.181442):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#333333' notitle, \
    data skip 1 every ::48::53 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#0b62a4' notitle, \
    data skip 1 every ::54::59 using ($3+0):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#0b62a4' notitle, \
    data skip 1 every ::60::65 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#666666' notitle, \
    data skip 1 every ::66::71 using ($3+0.181442):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#666666' notitle
unset label

set lmargin at screen 0.690152
set rmargin at screen 0.935659
set bmargin at screen 0.135514
set tmargin at screen 0.859813
set xtics ('1' 1, '2' 2, '3' 3, '4' 4, '5' 5, '6' 6)
set ytics ('' 1, '' 2, '' 3)
set label 'peri' at screen 0.690152, screen 0.890187 left textcolor rgb '#333333'
set label 'W_1' at screen 0.944750, screen 0.434662 left textcolor rgb '#333333'
set label 'W_2' at screen 0.944750, screen 0.396695 left textcolor rgb '#0b62a4'
set label 'W_V' at screen 0.944750, screen 0.219371 left textcolor rgb '#666666'
plot NaN notitle, \
    data skip 1 every ::72::77 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#333333' notitle, \
    data skip 1 every ::78::83 using ($3+-0.181442):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#333333' notitle, \
    data skip 1 every ::84::89 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#0b62a4' notitle, \
    data skip 1 every ::90::95 using ($3+0):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#0b62a4' notitle, \
    data skip 1 every ::96::101 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#666666' notitle, \
    data skip 1 every ::102::107 using ($3+0.181442):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#666666' notitle
unset label
unset multiplot
