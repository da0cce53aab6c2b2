/// The page's style: light and dark, phone and paper.
enum ReportStyle {
  static let css = """
    :root {
      --paper: #fbfaf6; --ink: #1b2629; --muted: #5b6a6c; --rule: #dcd9cf; --wash: #f1efe7;
      --shade: #1b26292e; --water: #17616f; --good: #24714a; --bad: #b02a1d; --doubtful: #8a5a00; --level: #17616f26; --level-edge: #17616f70;
      --planned: #1b2629; --started: #17616f; --completed: #5f7d1c;
      /* Apart for every kind of colour sight, in lightness too; each has a dash of its own beside it. */
      --series-1: #0b4f8a; --series-2: #d55e00; --series-3: #00806a; --series-4: #c0568f;
      --series-5: #1b2629; --series-6: #3b9bd6; --series-7: #8a6d00; --series-8: #6a3fa0;
      --sans: ui-sans-serif, system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
      --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #12191b; --ink: #e3e7e2; --muted: #93a3a3; --rule: #2b3638; --wash: #182123;
        --shade: #00000080; --water: #63b9c6; --good: #6cc08f; --bad: #f08a7c; --doubtful: #dba94d; --level: #63b9c62e; --level-edge: #63b9c670;
        --planned: #f2f2ea; --started: #63b9c6; --completed: #a9c766;
        --series-1: #5b9be0; --series-2: #f2914a; --series-3: #3fbf9f; --series-4: #e99ac4;
        --series-5: #f2f2ea; --series-6: #9fd6f7; --series-7: #d9be4a; --series-8: #b79bf0;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0 auto; max-width: 76rem; padding: 2rem 2rem 3rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.5 var(--sans); }
    h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
    h2 { margin: 0 0 0.75rem; font-size: 1.05rem; }
    h3 { margin: 0; font: 600 1rem var(--mono); overflow-wrap: anywhere; }
    p { margin: 0 0 0.5rem; max-width: 46rem; }
    code, pre { font-family: var(--mono); font-size: 0.86em; }
    a { color: var(--water); }
    code { white-space: pre-wrap; overflow-wrap: anywhere; }
    section { border-top: 1px solid var(--rule); padding: 1.4rem 0 1.6rem; }
    .mark { margin: 0; color: var(--water); font-weight: 600; }
    .about { margin: 0.35rem 0 0.6rem; color: var(--ink); }
    .setting { max-width: none; color: var(--muted); font-size: 0.9rem; }
    .setting span:not(:last-child)::after { content: " \\00b7"; }
    .note, .reason, .where, .code { color: var(--muted); font-size: 0.88rem; }
    .note { margin-top: 0.6rem; }
    .reason { white-space: normal; }

    /* The verdict stands beside a staff gauge, the board that water levels are read from. */
    #verdict { --tone: var(--bad); display: grid; grid-template-columns: 15rem 1fr; gap: 2rem; margin: 1rem 0 0.5rem;
      border: 0; padding: 0.4rem 0 0.4rem 2.2rem; background:
        repeating-linear-gradient(to bottom, var(--tone) 0 2px, transparent 2px 1.1rem) left top / 1.4rem 100% no-repeat,
        repeating-linear-gradient(to bottom, var(--tone) 0 1px, transparent 1px 0.22rem) left top / 0.7rem 100% no-repeat; }
    #verdict.s-passed { --tone: var(--good); }
    #verdict.s-recorded { --tone: var(--water); }
    #verdict.s-inconclusive, #verdict.s-no-baseline { --tone: var(--doubtful); }
    .word { margin: 0; color: var(--tone); font-size: 2.3rem; font-weight: 700; line-height: 1.1;
      letter-spacing: -0.02em; }
    .code { margin: 0.25rem 0 0; }
    .why { align-self: center; }
    .why p { margin: 0; }
    .why ul, .finding ul { margin: 0; padding-left: 1.1rem; }
    .why li, .why p, .finding li, .finding p { overflow-wrap: anywhere; }
    .next { margin-top: 0.8rem; }
    .next p { font-weight: 600; }
    .frame { display: block; padding-left: 1.2rem; text-indent: -1.2rem; }

    /* A shadow at each side on which something is out of sight; the paper over it moves with the table. */
    .scroll { overflow-x: auto; max-width: 100%; background:
        linear-gradient(to right, var(--paper) 40%, transparent) left / 3.2rem 100% no-repeat local,
        linear-gradient(to left, var(--paper) 40%, transparent) right / 3.2rem 100% no-repeat local,
        linear-gradient(to right, var(--shade), transparent) left / 0.45rem 100% no-repeat scroll,
        linear-gradient(to left, var(--shade), transparent) right / 0.45rem 100% no-repeat scroll; }
    table { border-collapse: collapse; min-width: 100%; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
    caption { text-align: left; color: var(--muted); padding-bottom: 0.4rem; }
    th, td { padding: 0.38rem 1.1rem 0.38rem 0; border-bottom: 1px solid var(--rule); text-align: left;
      vertical-align: top; white-space: pre-wrap; }
    thead th { color: var(--muted); font-weight: 500; vertical-align: bottom; border-bottom-color: var(--muted);
      max-width: 18rem; overflow-wrap: break-word; }
    tbody th { font-weight: 400; min-width: 9rem; max-width: 26rem; overflow-wrap: anywhere; }
    .compare code, .figures code { overflow-wrap: break-word; }
    /* The rule of the next section ends a table. */
    tbody tr:last-child > * { border-bottom: 0; }
    .gates > tbody > tr > th { min-width: 19rem; }
    .gates > tbody > tr > th code { overflow-wrap: break-word; }
    .gates > tbody > tr > td:not(:last-child) { white-space: nowrap; }
    .n { text-align: right; padding-right: 0; padding-left: 1.4rem; }
    td.n { white-space: nowrap; }
    .compare td { min-width: 5.8rem; }
    .compare tbody th { min-width: 13rem; }
    .compare small { color: var(--muted); display: block; }
    .bar { display: block; margin-top: 0.2rem; fill: var(--water); opacity: 0.75; transform: scaleX(-1); }
    .v { font-weight: 600; color: var(--bad); white-space: nowrap; }
    .v-passed, .v-improved { color: var(--good); }
    .v-inconclusive, .v-no-baseline, .v-not-judged { color: var(--doubtful); }

    .strip { display: grid; grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr)); gap: 0.9rem 1.6rem;
      margin: 0 0 0.9rem; }
    .strip dt { color: var(--muted); font-size: 0.85rem; }
    .strip dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .finding { margin-bottom: 1.2rem; }
    .finding.unexpected h3 { color: var(--bad); }
    .advice { margin-top: 0.4rem; font-weight: 500; }
    .where { margin: 0.1rem 0 0.3rem; }
    details { margin-top: 0.5rem; }
    summary { cursor: pointer; padding: 0.25rem 0; overflow-wrap: anywhere; }
    pre { overflow-x: auto; margin: 0.5rem 0 0; padding: 1rem; background: var(--wash); line-height: 1.45; }

    .chart { margin: 0 0 1.4rem; }
    .plot { position: relative; height: 23rem; }
    .courses { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.2rem 1.4rem; }
    .courses .plot { height: 11.5rem; }
    .courses.one { grid-template-columns: 1fr; }
    .courses.one .plot { height: 19rem; }
    .key { display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 0 0 0.3rem; padding: 0; list-style: none;
      font-size: 0.9rem; }
    .key[hidden] { display: none; }
    .key li::before { content: ""; display: inline-block; width: 1.6rem; margin-right: 0.5rem; vertical-align: middle;
      border-top: 2px solid var(--muted); }
    .key .k-planned::before { border-top-style: dashed; border-color: var(--planned); }
    .key .k-started::before { border-color: var(--started); }
    .key .k-completed::before { border-color: var(--completed); }
    .key .k-failed::before { border-color: var(--bad); }
    .key .k-in-flight::before { height: 0.7rem; border-top-width: 1px; border-color: var(--level-edge);
      background: var(--level); }
    .courses .chart { margin: 0; min-width: 0; display: flex; flex-direction: column; }
    .courses figcaption { order: -1; color: var(--ink); font-weight: 600; }
    figcaption { margin-top: 0.4rem; color: var(--muted); font-size: 0.88rem; overflow-wrap: anywhere; }
    .chart[hidden] { display: none; }
    footer { border-top: 1px solid var(--rule); padding-top: 1rem; color: var(--muted); font-size: 0.85rem; }
    :focus-visible { outline: 2px solid var(--water); outline-offset: 2px; }

    @media (max-width: 44rem) {
      body { padding: 1.2rem 1rem 2rem; }
      h1 { font-size: 1.5rem; }
      #verdict { grid-template-columns: 1fr; gap: 0.7rem; }
      .strip { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.8rem 1rem; }
      .compare td { min-width: 5.6rem; }
      .plot { height: 19rem; }
      table:not(.stacked) tbody th, table:not(.stacked) thead th:first-child { position: sticky; left: 0;
        background: var(--paper); max-width: 10.5rem; min-width: 7rem; padding-right: 0.5rem; }
      .compare tbody th, .compare thead th:first-child { min-width: 8rem; }
      .n { padding-left: 0.9rem; }
      .stacked thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
      .stacked tr { display: flex; flex-wrap: wrap; column-gap: 0.9rem; padding: 0.5rem 0;
        border-bottom: 1px solid var(--rule); }
      .stacked tbody tr:last-child { border-bottom: 0; }
      .stacked th, .stacked td { border: 0; padding: 0.05rem 0; min-width: 0; max-width: none; }
      .stacked.gates > tbody > tr > th { min-width: 0; }
      .stacked.gates > tbody > tr > td { white-space: pre-wrap; }
      .stacked th { flex: 1 0 100%; }
      .stacked [data-label]::before { content: attr(data-label) " "; color: var(--muted); }
    }
    @media print {
      :root { --paper: #fff; --ink: #000; --muted: #444; --rule: #bbb; }
      body { max-width: none; padding: 0; font-size: 10pt; }
      section { break-inside: auto; }
      tr, figure, article { break-inside: avoid; }
      .scroll { overflow: visible; }
    }

    """
}
