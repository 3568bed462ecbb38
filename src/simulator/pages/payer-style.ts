// The style of the payer's pages. It is part of the program, so that the pages need no file at run
// time.
export const payerStyle = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2330, #e6e9f0);
  --quiet: light-dark(#525d70, #a8b1c2);
  --ground: light-dark(#f4f5f8, #12151c);
  --surface: light-dark(#fff, #1b202b);
  --line: light-dark(#cfd5e0, #3a4354);
  --accent: light-dark(#2b4fc2, #9db4ff);
  --on-accent: light-dark(#fff, #12151c);
  --warn: light-dark(#6b4300, #ffd591);
  --warn-ground: light-dark(#fdeecb, #3d2f10);
  --bad: light-dark(#9b1622, #ffb3b3);
  --bad-ground: light-dark(#fde8e8, #471a1e);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
header { background: var(--warn-ground); color: var(--warn); }
header p { max-width: 32rem; margin: 0 auto; padding: .75rem 1rem; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; }
.amount { margin: 0 0 1.5rem; font-size: 2rem; font-weight: 700; }
.quiet { color: var(--quiet); }
.alert {
  margin: 0 0 1.5rem;
  padding: .75rem 1rem;
  border-radius: .5rem;
  background: var(--bad-ground);
  color: var(--bad);
}
form, details { margin: 0 0 1rem; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
legend { padding: 0 0 .5rem; font-weight: 600; }
.card {
  display: flex;
  gap: .75rem;
  padding: .75rem;
  border: 1px solid var(--line);
  border-bottom-width: 0;
  background: var(--surface);
  cursor: pointer;
}
.card:first-of-type { border-radius: .5rem .5rem 0 0; }
.card:last-of-type { border-bottom-width: 1px; border-radius: 0 0 .5rem .5rem; }
.card span span { display: block; color: var(--quiet); font-size: .875rem; }
.field { display: block; margin: 0 0 1rem; font-weight: 600; }
.field input {
  display: block;
  width: 100%;
  margin-top: .25rem;
  padding: .625rem .75rem;
  border: 1px solid var(--quiet);
  border-radius: .5rem;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
button, .button {
  display: block;
  width: 100%;
  padding: .75rem 1rem;
  border: 1px solid var(--accent);
  border-radius: .5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button + button { margin-top: .75rem; }
.plain { background: transparent; color: var(--accent); }
summary { padding: .75rem 0; color: var(--accent); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`
