import vm from 'node:vm'
import t from 'tap'
import { startSampleService } from '../service/sample-service.ts'

/** As much of an element as the script of the page uses. */
function element() {
  const handlers = new Map<string, (event: object) => unknown>()
  const self = {
    textContent: '',
    value: '',
    disabled: false,
    isWrong: false,
    children: [] as unknown[],
    classList: { toggle: (_name: string, on: boolean) => Object.assign(self, { isWrong: on }) },
    addEventListener: (name: string, handler: (event: object) => unknown) => handlers.set(name, handler),
    replaceChildren: (...children: unknown[]) => Object.assign(self, { children }),
    append: (child: unknown) => self.children.push(child),
    insertRow() {
      const row = element()
      self.children.push(row)
      return row
    },
    click: () => handlers.get('click')?.({}),
  }
  return self
}

type Element = ReturnType<typeof element>

/** The page of a service with its script running. `cells` are the texts of the table that it shows. */
async function openPage(url: string) {
  const html = await (await fetch(`${url}/`)).text()
  const [, script = ''] = /<script defer src="([^"]+)">/.exec(html) ?? []
  const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? []
  const elements = new Map<string, Element>()
  const find = (selector: string): Element => {
    const known = elements.get(selector) ?? element()
    elements.set(selector, known)
    return known
  }
  find('#data').textContent = data
  const document = { querySelector: find, createElement: element }
  const fetchHere = (path: string, init?: RequestInit) => fetch(url + path, init)
  vm.runInNewContext(await (await fetch(url + script)).text(), { document, fetch: fetchHere, performance })
  return {
    find,
    cells(): string[][] {
      const [table] = find('#rows').children as Element[]
      return (table?.children ?? []).map((row) =>
        (row as Element).children.map((cell) => (cell as Element).textContent),
      )
    },
  }
}

const { address } = await startSampleService(t)

for (const form of ['#json', '#sql'])
  t.test(`the sample query ${form} shows its rows`, async (t) => {
    const { find, cells } = await openPage(address)
    find(form).click()
    await find('#run').click()
    const [header = [], ...rows] = cells()
    t.ok(header.length >= 3)
    t.ok(rows.length >= 3)
    for (const row of rows) t.equal(row.length, header.length)
    t.match(find('#status').textContent, new RegExp(`^${rows.length} rows in \\d+ ms$`))
  })

t.test('answers in CSV with quotes and in JSON are shown alike', async (t) => {
  const { find, cells } = await openPage(address)
  const sql = `SELECT 'a,"b"' AS "x,y", NULL AS empty, 1.5 AS number UNION ALL SELECT 'c', 'd', 2.5`
  for (const format of ['csv', 'json']) {
    find('#query').value = JSON.stringify({ sql, output: { format } })
    await find('#run').click()
    t.same(
      cells(),
      [
        ['x,y', 'empty', 'number'],
        ['a,"b"', '', '1.5'],
        ['c', 'd', '2.5'],
      ],
      format,
    )
  }
})

t.test('an error is shown as its sentence', async (t) => {
  const { find, cells } = await openPage(address)
  find('#query').value = '{"selct": ["time"]}'
  await find('#run').click()
  t.match(find('#status').textContent, /^400: \w/)
  t.ok(find('#status').isWrong)
  t.same(cells(), [])
})
