/** The home page: runs the query in the text area, and shows the first rows of its answer. */
const text = document.querySelector('#query')
const status = document.querySelector('#status')
const rows = document.querySelector('#rows')
const run = document.querySelector('#run')

/** Rows that are shown. */
const SHOWN = 20

/** `readers`: how the language names the format of a dataset, by its `format` in a listing. */
const { base, samples, readers } = JSON.parse(document.querySelector('#data').textContent)

for (const form of ['json', 'sql']) {
  document.querySelector(`#${form}`).addEventListener('click', () => show(form))
}
run.addEventListener('click', ask)
text.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ask()
})
useOwnFiles()

function show(form) {
  text.value = samples[form]
}

/** Replaces the sample queries where the service has no sample: by ones over its first dataset that can be read. */
async function useOwnFiles() {
  const list = async (query) => (await fetch(`${base}/api/list-datasets?${query}`)).json()
  try {
    if ((await list('pattern=observations/*.parquet&limit=1')).length > 0) return
    const first = (await list('limit=1000')).find(({ format }) => format in readers)
    if (first === undefined) {
      status.textContent = 'There are no files yet. Put some into the dataset root, and reload this page.'
      return
    }
    const { file_path: path, format } = first
    const reader = readers[format]
    const schema = await fetch(`${base}/api/dataset-schema?file=${encodeURIComponent(path)}`)
    const { fields } = await schema.json()
    const select = fields.slice(0, 8).map(({ name }) => name)
    const output = { format: 'csv' }
    const json = { select, from: { [reader.from]: { paths: [path] } }, limit: 10, output }
    const sql = `SELECT * FROM ${reader.function}('${path.replaceAll("'", "''")}') LIMIT 10`
    samples.json = JSON.stringify(json, null, 2)
    samples.sql = JSON.stringify({ sql, output }, null, 2)
    show('json')
  } catch {
    // The sample stays. Whoever runs it is told what is wrong.
  }
}

async function ask() {
  run.disabled = true
  tell('…')
  rows.replaceChildren()
  const start = performance.now()
  try {
    const answer = await fetch(`${base}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text.value,
    })
    const body = await answer.text()
    const type = answer.headers.get('content-type') ?? ''
    if (!answer.ok) tell(`${answer.status}: ${messageOf(body)}`, true)
    else {
      const [header, ...records] = recordsOf(type, body)
      rows.replaceChildren(tableOf(header, records.slice(0, SHOWN)))
      const shown = records.length > SHOWN ? `, the first ${SHOWN} below` : ''
      tell(`${records.length} rows in ${Math.round(performance.now() - start)} ms${shown}`)
    }
  } catch (error) {
    tell(`The answer cannot be shown: ${error.message}.`, true)
  } finally {
    run.disabled = false
  }
}

function tell(message, isWrong = false) {
  status.textContent = message
  status.classList.toggle('wrong', isWrong)
}

/** The sentence of an error: a JSON string, or plain text. */
function messageOf(body) {
  try {
    const value = JSON.parse(body)
    return typeof value === 'string' ? value : body
  } catch {
    return body
  }
}

/** The names of the columns, and then the rows. Throws if the answer is no text. */
function recordsOf(type, body) {
  if (type.startsWith('text/csv')) return parseCsv(body)
  if (type.startsWith('application/json')) {
    const { columns, rows } = JSON.parse(body)
    return [columns.map(({ name }) => name), ...rows.map((row) => row.map(textOf))]
  }
  throw new TypeError(`its type is ${type}. To see rows here, ask for the output csv or json`)
}

function textOf(value) {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The records of a CSV text, each an array of fields. */
function parseCsv(csv) {
  const records = []
  let record = []
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    if (end === '' && record.length === 0 && !quoted && !plain) break
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records
}

function tableOf(header, records) {
  const table = document.createElement('table')
  const add = (cells, tag) => {
    const row = table.insertRow()
    for (const cell of cells) row.append(Object.assign(document.createElement(tag), { textContent: cell }))
  }
  add(header, 'th')
  for (const record of records) add(record, 'td')
  return table
}
