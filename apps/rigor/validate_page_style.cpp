// Style and script of the page of checks.

#include "validate_page.h"

namespace rigor::app {

const char* const kValidationStyle = R"(:root {
  color-scheme: light dark;
  --paper: #ffffff; --ground: #f6f7f9; --ink: #1b2330; --muted: #5b6676; --grid: #e3e7ec; --edge: #d5dbe3;
  --pass: #15703a; --pass-ground: #e3f3e8; --fail: #b42318; --fail-ground: #fde7e4;
  --known: #8a5300; --known-ground: #fdf0d6; --skip: #5b6676; --skip-ground: #eceff3;
  --report: #1d4f91; --report-ground: #e4edf9;
  --line-0: #1f5fa8; --line-1: #c2410c; --line-2: #15803d; --line-3: #7e22ce;
  --line-4: #0e7490; --line-5: #a16207; --line-6: #be185d; --line-7: #64748b;
  --area-0: #dbe7f5; --area-1: #fbe8d8; --area-2: #e0f0e3; --area-3: #eee2f6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171c24; --ground: #10141a; --ink: #e4e9f0; --muted: #98a4b5; --grid: #2a323d; --edge: #323b48;
    --pass: #6fd394; --pass-ground: #15301f; --fail: #ff9a8f; --fail-ground: #44201d;
    --known: #f2c265; --known-ground: #3a2c10; --skip: #98a4b5; --skip-ground: #242b35;
    --report: #8dbcf7; --report-ground: #182b45;
    --line-0: #6aaef5; --line-1: #f78f5c; --line-2: #5fce8a; --line-3: #c290f5;
    --line-4: #4cc6dd; --line-5: #deb04b; --line-6: #f47fb2; --line-7: #a3afbf;
    --area-0: #1b2f47; --area-1: #40291a; --area-2: #1c3524; --area-3: #32234a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 0 1.25rem 3rem; max-width: 1240px; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: inherit; text-decoration-color: var(--edge); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
header { padding: 3.5rem 0 1rem; }
header p { max-width: 44rem; }
h1 { margin: 0; font-size: clamp(2rem, 6vw, 3.2rem); line-height: 1.1; letter-spacing: -.025em; }
h2 { margin: 3.5rem 0 .25rem; font-size: 1.6rem; letter-spacing: -.015em; }
h3 { margin: 2.75rem 0 1rem; padding-bottom: .4rem; border-bottom: 2px solid var(--ink); font-size: 1.2rem; }
h4 { margin: 0; font-size: 1.1rem; }
h4 code { color: var(--muted); font-weight: 400; }
h4 small { margin-left: .5rem; color: var(--muted); font-weight: 400; font-size: .85rem; }
.version, .key, footer, h2 + p { color: var(--muted); }
h2 + p { margin-bottom: 1.25rem; }
.number { display: inline-block; min-width: 1.6em; color: var(--muted); font-variant-numeric: tabular-nums; font-weight: 400; }
.sign { font-size: .9em; }
.pass { --c: var(--pass); --g: var(--pass-ground); }
.fail { --c: var(--fail); --g: var(--fail-ground); }
.known_failure { --c: var(--known); --g: var(--known-ground); }
.skipped { --c: var(--skip); --g: var(--skip-ground); }
.report { --c: var(--report); --g: var(--report-ground); }
.share { display: flex; gap: 2px; height: 10px; margin: 1.75rem 0 .9rem; border-radius: 5px; overflow: hidden; }
.share i { background: var(--c); min-width: 3px; }
.counts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 0; padding: 0; list-style: none; color: var(--c); }
.counts li { color: var(--c); }
.counts b { font-size: 1.7rem; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.scroll { overflow-x: auto; }
.columns { columns: 30rem 2; column-gap: 1.5rem; }
.columns > * { break-inside: avoid; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { font-weight: 500; text-align: left; }
thead th { color: var(--muted); font-size: .8rem; }
.matrix { table-layout: fixed; width: 100%; margin: 0 0 1rem; background: var(--paper); border: 1px solid var(--edge); border-radius: 10px; border-collapse: separate; border-spacing: 0; overflow: hidden; }
.matrix .k { width: 2.6rem; }
.matrix .c { width: 6.2rem; }
.matrix td, .matrix th { padding: .24rem .6rem; border-bottom: 1px solid var(--grid); overflow-wrap: anywhere; }
.matrix tbody tr:last-child > * { border-bottom: 0; }
.matrix thead th:first-child { color: var(--ink); font-size: .95rem; font-weight: 600; }
.matrix .number { display: table-cell; padding-right: 0; text-align: right; }
.matrix td[class]:not(.number) { background: var(--g); color: var(--c); white-space: nowrap; border-left: 2px solid var(--paper); }
.filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .6rem; padding: .7rem 0; background: var(--ground); }
.filters[hidden] { display: none; }
.filters label { padding: .2rem .7rem; border: 1px solid var(--edge); border-radius: 2rem; background: var(--g, var(--paper)); color: var(--c, var(--ink)); cursor: pointer; }
.filters label:has(input:not(:checked)) { background: none; color: var(--muted); }
.filters input { margin: 0 .2rem 0 0; accent-color: var(--c); vertical-align: -1px; }
.filters select { font: inherit; color: inherit; background: none; border: 0; }
.filters option { background: var(--paper); }
.filters output { color: var(--muted); }
article { margin: 0 0 1.1rem; padding: 1rem 1.1rem .6rem; background: var(--paper); border: 1px solid var(--edge); border-radius: 10px; scroll-margin-top: 4.5rem; }
article:target { border-color: var(--report); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 480px)); gap: .75rem 2rem; margin: .9rem 0 .4rem; }
figure { margin: 0; }
figcaption { margin-bottom: .15rem; color: var(--muted); font-size: .85rem; }
figure svg { display: block; width: 100%; height: auto; font-family: inherit; }
.lines { table-layout: fixed; width: 100%; margin-top: .5rem; font-size: .87rem; }
.lines col.m { width: 9rem; }
.lines col.v { width: 10.5rem; }
.lines col.e { width: 4.6rem; }
.lines col.b { width: 8.5rem; }
.lines col.s { width: 8.2rem; }
.lines th, .lines td { padding: .28rem .7rem .28rem 0; vertical-align: baseline; border-top: 1px solid var(--grid); overflow-wrap: anywhere; }
.lines thead th { border-top: 0; }
.lines .n { text-align: right; }
.lines td.m { color: var(--muted); }
.lines .q p { margin: .1rem 0 .2rem; max-width: 40rem; color: var(--known); font-size: .95em; }
.lines [data-status=skipped] .q p { color: var(--muted); }
.lines td.b { padding: 0 1rem 0 .5rem; }
.lines td.s { padding-right: 0; color: var(--c); white-space: nowrap; }
.bar { position: relative; display: block; height: 8px; border-radius: 2px; background: repeating-linear-gradient(90deg, var(--grid) 0 calc(20% - 1px), var(--edge) calc(20% - 1px) 20%); }
.bar i { position: absolute; inset: 0 auto 0 0; border-radius: 2px; background: var(--pass); }
.bar::after { content: ""; position: absolute; left: 80%; top: -3px; bottom: -3px; width: 2px; background: var(--ink); }
[data-status=fail] .bar i { background: var(--fail); }
[data-status=known_failure] .bar i { background: var(--known); }
.defects col:not(.m) { width: 45%; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.5rem; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
[hidden] { display: none; }
footer { margin-top: 3rem; font-size: .9rem; }
code { font: .92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (max-width: 760px) {
  body { padding: 0 .8rem 2rem; }
  header { padding-top: 2rem; }
  article { padding: .8rem .8rem .3rem; }
  h4 small { display: block; margin-left: 2.1rem; }
  .filters { position: static; }
  .matrix .k { width: 1.9rem; }
  .matrix .c { width: 4.6rem; }
  .matrix td, .matrix th { padding: .24rem .4rem; font-size: .85rem; }
  .lines thead { display: none; }
  .lines, .lines tbody { display: block; }
  .lines tr { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .8rem; padding: .5rem 0; border-top: 1px solid var(--grid); }
  .lines tr[hidden] { display: none; }
  .lines td { border: 0; padding: 0; }
  .lines col { width: auto !important; }
  .lines .q { grid-column: 1 / 3; grid-row: 2; }
  .lines td.m { grid-row: 1; }
  .lines td.s { grid-row: 1; text-align: right; }
  .lines td.f { grid-column: 1 / 3; grid-row: 3; color: var(--muted); }
  .lines .n { text-align: left; overflow-wrap: anywhere; }
  .lines .n:empty { display: none; }
  .lines .n::before { content: attr(data-label) " "; color: var(--muted); }
  .lines td.b { grid-column: 1 / 3; order: 9; padding: .35rem 0 .1rem; }
  .lines td.b:empty { display: none; }
}
@media print { .filters { display: none; } article { break-inside: avoid; } }
)";

const char* const kValidationScript = R"(const form = document.querySelector('.filters');
const lines = [...document.querySelectorAll('tr[data-status]')];
const show = () => {
  const data = new FormData(form), statuses = data.getAll('status'), method = data.get('method');
  for (const line of lines)
    line.hidden = !statuses.includes(line.dataset.status) ||
      (method && !line.dataset.method.split(' ').includes(method));
  for (const check of document.querySelectorAll('article[id]'))
    check.hidden = !check.querySelector('tr[data-status]:not([hidden])');
  const seen = lines.filter(line => !line.hidden).length;
  form.querySelector('output').textContent = seen < lines.length ? seen + ' of ' + lines.length + ' lines' : '';
};
form.hidden = false;
form.addEventListener('input', show);
show();
)";

} // namespace rigor::app
