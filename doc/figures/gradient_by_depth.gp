# Draws gradient_by_depth.csv, which lies beside this file, as SVG to standard output; with
# gnuplot -e "png=1" gradient_by_depth.gp, as PNG.
data = ARG0[1:strlen(ARG0) - strlen('gradient_by_depth.gp')] . 'gradient_by_depth.csv'
if (exists('png')) {
    set terminal pngcairo noenhanced size 1760,856 font 'sans,13' fontscale 1.5 \
        linewidth 2 pointscale 2 background rgb '#ffffff'
} else {
    set terminal svg noenhanced size 880,428 font 'sans-serif,13' name 'gradient_by_depth' \
        background rgb '#ffffff'
}
set encoding utf8
set datafile separator comma
low = 1.2260090314049177
high = 4629.9828632463323
# An end of an interval that is not finite is its point; the axis cuts the others.
end(v, y) = v == v ? (v < low ? low : v > high ? high : v) : y
set border 3 linecolor rgb '#666666'
set grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 0.7
set errorbars 0.5
set pointintervalbox 0
set tics nomirror out scale 0.5 textcolor rgb '#666666'
set logscale x 10
set xrange [0.82639432377195321:29.041825808356936]
set logscale y 10
set yrange [1.2260090314049177:4629.9828632463323]
set multiplot
set label '||dL_i/dW_2|| / ||g_i||, last layer (log scale)' at screen 0.006818, screen 0.969626 left textcolor rgb '#333333'
set label 'L, layers (log scale)' at screen 0.070455, screen 0.030374 left textcolor rgb '#333333'

set lmargin at screen 0.070455
set rmargin at screen 0.230280
set bmargin at screen 0.135514
set tmargin at screen 0.859813
set xtics ('1' 1, '3' 3, '6' 6, '12' 12, '24' 24)
set ytics ('10' 10, '100' 100, '1000' 1000)
set label 'post' at screen 0.070455, screen 0.890187 left textcolor rgb '#333333'
set label 'printed bound' at screen 0.239371, screen 0.821011 left textcolor rgb '#666666'
set label 'predicted' at screen 0.239371, screen 0.350467 left textcolor rgb '#333333'
set label 'measured' at screen 0.239371, screen 0.312500 left textcolor rgb '#0b62a4'
plot NaN notitle, \
    data skip 1 every ::0::4 using 3:4 with lines dashtype '- ' linewidth 1.6 linecolor rgb '#666666' notitle, \
    data skip 1 every ::5::9 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#333333' notitle, \
    data skip 1 every ::10::14 using ($3*1.000000):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#0b62a4' notitle
unset label

set lmargin at screen 0.380303
set rmargin at screen 0.540129
set bmargin at screen 0.135514
set tmargin at screen 0.859813
set xtics ('1' 1, '3' 3, '6' 6, '12' 12, '24' 24)
set ytics ('' 10, '' 100, '' 1000)
set label 'pre' at screen 0.380303, screen 0.890187 left textcolor rgb '#333333'
set label 'printed bound' at screen 0.549220, screen 0.726062 left textcolor rgb '#666666'
set label 'predicted' at screen 0.549220, screen 0.216599 left textcolor rgb '#333333'
set label 'measured' at screen 0.549220, screen 0.178632 left textcolor rgb '#0b62a4'
plot NaN notitle, \
    data skip 1 every ::15::19 using 3:4 with lines dashtype '- ' linewidth 1.6 linecolor rgb '#666666' notitle, \
    data skip 1 every ::20::24 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#333333' notitle, \
    data skip 1 every ::25::29 using ($3*1.000000):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#0b62a4' notitle
unset label

set lmargin at screen 0.690152
set rmargin at screen 0.849977
set bmargin at screen 0.135514
set tmargin at screen 0.859813
set xtics ('1' 1, '3' 3, '6' 6, '12' 12, '24' 24)
set ytics ('' 10, '' 100, '' 1000)
set label 'peri' at screen 0.690152, screen 0.890187 left textcolor rgb '#333333'
set label 'predicted' at screen 0.859068, screen 0.189773 left textcolor rgb '#333333'
set label 'measured' at screen 0.859068, screen 0.227740 left textcolor rgb '#0b62a4'
plot NaN notitle, \
    data skip 1 every ::30::34 using 3:4 with lines dashtype '- ' linewidth 1.6 linecolor rgb '#666666' notitle, \
    data skip 1 every ::35::39 using 3:4 with lines dashtype 1 linewidth 1.6 linecolor rgb '#333333' notitle, \
    data skip 1 every ::40::44 using ($3*1.000000):4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.4 linecolor rgb '#0b62a4' notitle
unset label
unset multiplot
