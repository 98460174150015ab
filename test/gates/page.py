#!/usr/bin/env python3
"""A page of the program is readable in a browser, at 400 and 1400 pixels, in light and in dark.

page.py            pages of small runs of $BUILD/lnstab
page.py FILE...    these pages"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WIDTHS = (400, 1400)
SCHEMES = ("light", "dark")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update")
RUNS = (
    ["theorem1", "--grid", "placement=post,pre,peri:beta=0.1,custom:norm_in=1 L=1,2,4 d=16,32 rho=1,4",
     "--seeds", "3"],
    ["theorem1", "--grid", "placement=post,pre L=1,2 d=16 rho=1", "--seeds", "3", "--text", __file__,
     "--json", "<a & \"b\">'c'.json"],
    ["compare", "post", "pre", "peri:beta=0.5", "none", "deepnorm", "--set", "layers=2 width=32",
     "--seeds", "2"],
    ["sensitivity", "<a & b>.conf", "--width", "16", "--seeds", "2", "--tokens", "5"],
    ["check", "<a & b>.conf", "--width", "32", "--seeds", "2"],
    ["verify", "--grid", "placement=post,peri:beta=0.5 L=1 d=16 rho=1", "--seeds", "2"],
)
DESIGN = "layers=3 width=64 heads=2 placement=peri causal=1 activation=gelu ffn.norm_out=0 # & < >"

# Every fault of the page as a line; scheme and width are what is emulated.
LOOK = r"""
const [scheme, width] = arguments, faults = [];
const say = (what, element) => faults.push(what + (element ? ": " +
    (element.textContent.trim().slice(0, 40) || element.tagName) : ""));
document.querySelectorAll("details").forEach(d => d.open = true);

const root = document.scrollingElement;
if (root.scrollWidth > innerWidth) say(`the page is ${root.scrollWidth} pixels wide`);
if (document.scripts.length) say("there is a script");

const seen = new Set();
for (const e of document.querySelectorAll("[id]")) {
    if (seen.has(e.id)) say(`two elements have the id ${e.id}`);
    seen.add(e.id);
}
for (const a of document.querySelectorAll("a[href^='#']"))
    if (!document.getElementById(decodeURIComponent(a.hash.slice(1)))) say("a link leads nowhere", a);

const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX);
const around = (e, found) => { while (e && !found(e)) e = e.parentElement; return e; };
for (const table of document.querySelectorAll("table")) {
    const box = around(table, scrolls);
    if (!box && table.getBoundingClientRect().right > innerWidth) say("a table is cut off", table);
    for (const cell of table.querySelectorAll("th, td"))
        if (cell.scrollWidth > cell.clientWidth || around(cell, e => !scrolls(e) && e !== root &&
            e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible"))
            say("a cell is cut off", cell);
    if (!box || box.scrollWidth <= box.clientWidth) continue;
    box.scrollLeft = box.scrollWidth;
    for (const cell of table.querySelectorAll("tr > :first-child"))
        // What spans the columns is as wide as all of them: its content stays.
        if ((cell.colSpan > 1 && cell.firstElementChild || cell).getBoundingClientRect().left <
            box.getBoundingClientRect().left - 1) say("a first column scrolls away", cell);
    box.scrollLeft = 0;
}

const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
};
const luminance = colour => {
    const [r, g, b] = [...rgba(colour)].slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = e => {
    const painted = around(e, x => rgba(getComputedStyle(x).backgroundColor)[3] > 0);
    return painted ? getComputedStyle(painted).backgroundColor : "Canvas";
};
const light = luminance(ground(document.body));
if (scheme === "dark" ? light > 0.2 : light < 0.8) say(`the page is not ${scheme}`);

const drawn = [];
for (const e of document.body.querySelectorAll("*")) {
    const words = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    const rect = e.getBoundingClientRect();
    if (!words || !rect.width || e.closest("title, desc, defs")) continue;
    const style = getComputedStyle(e), picture = e.closest("svg");
    const scale = picture ? Math.abs(e.getScreenCTM().d) : 1;
    const size = parseFloat(style.fontSize) * scale, least = picture ? 9 : 12;
    if (size < least && !(picture && width < 1400)) say(`text of ${size.toFixed(1)} pixels`, e);
    const a = luminance(picture ? style.fill : style.color), b = luminance(ground(e));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) say(`contrast of ${contrast.toFixed(1)}`, e);
    if (picture) drawn.push([picture, rect, e]);
}
for (const [i, [picture, a, e]] of drawn.entries()) {
    const frame = picture.getBoundingClientRect();
    if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 ||
        a.bottom > frame.bottom + 1) say("a label leaves its figure", e);
    for (const [other, b, f] of drawn.slice(i + 1))
        if (other === picture && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * Math.min(a.height, b.height))
            say(`a label lies over ${f.textContent.trim()}`, e);
}
for (const picture of document.querySelectorAll("svg"))
    if (picture.getAttribute("role") !== "img" || !picture.querySelector(":scope > title") ||
        !picture.querySelector(":scope > desc")) say("a figure does not say what it is");
return [...new Set(faults)];
"""


def start(profile):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options)


def requests(browser, page):
    """What the page asked for, besides itself."""
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        url = message.get("params", {}).get("request", {}).get("url", "")
        if message["method"] == "Network.requestWillBeSent" and not url.startswith((page, "data:")):
            yield f"asks for {url}"


def look(browser, path, width, scheme):
    page = pathlib.Path(path).resolve().as_uri()
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.get_log("browser"), browser.get_log("performance")
    browser.get(page)
    yield from browser.execute_script(LOOK, scheme, width)
    yield from requests(browser, page)
    for entry in browser.get_log("browser"):
        yield f"the console says: {entry['message']}"


def faults(paths):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = start(profile)
        try:
            for path in paths:
                for width in WIDTHS:
                    for scheme in SCHEMES:
                        for fault in look(browser, path, width, scheme):
                            yield f"{os.path.basename(path)}, {width} pixels, {scheme}: {fault}"
        finally:
            browser.quit()


def make_pages(directory):
    program = os.path.abspath(os.path.join(os.environ.get("BUILD", "build"), "lnstab"))
    with open(os.path.join(directory, "<a & b>.conf"), "w") as file:
        file.write(DESIGN)
    for i, words in enumerate(RUNS):
        page = os.path.join(directory, f"page{i + 1}.html")
        subprocess.run([program, *words, "--html", page], cwd=directory, check=True,
                       stdout=subprocess.DEVNULL)
        yield page


try:
    import selenium  # noqa: F401
except ImportError:
    print("  python3-selenium is missing: make deps")
    sys.exit(1)
with tempfile.TemporaryDirectory() as work:
    found = list(faults(sys.argv[1:] or list(make_pages(work))))
for line in found[:40]:
    print(f"  {line}")
if len(found) > 40:
    print(f"  and {len(found) - 40} more")
sys.exit(1 if found else 0)
