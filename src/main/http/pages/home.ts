import type { Formats } from '../../../plan/format/create-formats.ts'
import type { Config } from '../../settings/config.ts'
import { SAMPLE_JSON, SAMPLE_SQL } from '../openapi/operations/sample-queries.ts'
import { WHAT_IT_DOES } from '../what-it-does.ts'
import { escapeHtml, heading, PRODUCT, page } from './frame.ts'

const LINKS = [
  ['/docs/', 'Documentation'],
  ['/scalar/', 'API explorer (Scalar)'],
  ['/swagger/', 'API explorer (Swagger)'],
  ['/openapi.json', 'OpenAPI document'],
  ['/api/health', 'Health'],
  ['/api/ready', 'Readiness'],
  ['/api/info', 'Version and configuration'],
  ['/api/list-datasets', 'Datasets'],
] as const

/** The home page: what the service is, a query to run, and where to go next. Its script is assets/home.js. */
export function homePage({ basePath, apiTitle }: Config, formats: Formats): string {
  const samples = { json: readable(SAMPLE_JSON), sql: readable(SAMPLE_SQL) }
  const readers = Object.fromEntries(
    formats.rows.flatMap(({ datasets, from, functions }) =>
      datasets.map(({ id }) => [id, { from: from[0], function: functions[0] }]),
    ),
  )
  const title = apiTitle ?? PRODUCT
  const links = LINKS.map(([path, label]) => `<li><a href="${basePath}${path}">${label}</a></li>`)
  return page(
    basePath,
    title,
    `${heading(basePath, title)}
<p>${WHAT_IT_DOES} Answers are Arrow
streams, CSV, JSON, or files: Arrow, Parquet, NetCDF, or an archive for Ocean Data View.</p>
<h2>Ask</h2>
<p>A query is the body of a <code>POST ${basePath}/api/query</code>. Change it, and run it again.</p>
<textarea id="query" rows="14" spellcheck="false" aria-label="The query">${escapeHtml(samples.json)}</textarea>
<p><button id="run" class="first">Run</button> <button id="json">JSON</button> <button id="sql">SQL</button></p>
<p id="status" role="status"></p>
<div id="rows" class="scroll"></div>
<h2>Where to go next</h2>
<ul>
${links.join('\n')}
</ul>
<script type="application/json" id="data">${inlineJson({ base: basePath, samples, readers })}</script>
<script defer src="${basePath}/assets/home.js"></script>`,
  )
}

/** JSON for people: what has no arrays or objects in it stands in one line. */
function readable(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /([[{])\s+([^[\]{}]*?)\s+([\]}])/g,
    (_all, open: string, inner: string, close: string) => open + inner.replace(/\s*\n\s*/g, ' ') + close,
  )
}

/** JSON that may stand in a script element: it cannot end the element. */
function inlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
