// The style of the items of a link; part of the style sheet of the checkout.
export const orderStyle = `.order { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
.order legend { padding: 0; color: var(--quiet); font-size: .875rem; }
.order ul { margin: .25rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.order li {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
  min-height: 3.5rem;
  padding: .5rem 0;
  border-bottom: 1px solid var(--line);
}
.order .item { flex: 1; font-weight: 600; }
.order .item small { display: block; color: var(--quiet); font-weight: 400; font-size: .875rem; }
.order .sum, .order .total { font-variant-numeric: tabular-nums; white-space: nowrap; }
.order input[type=number] {
  width: 5rem;
  min-height: 2.75rem;
  padding: .25rem .5rem;
  border: 1px solid var(--field);
  border-radius: .625rem;
  background: var(--ground);
  color: inherit;
  font: inherit;
  font-weight: 600;
  text-align: center;
}
.order [aria-invalid] { border: 2px solid var(--bad); }
.order .total {
  display: flex;
  justify-content: space-between;
  margin: .75rem 0 0;
  font-size: 1.25rem;
}
`
