import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import { startTestServer } from '../http/test-server.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The formats that are read, as they are written. */
const NAMES = ['Parquet', 'CSV', 'ODV', 'Arrow', 'NetCDF', 'HDF5', 'TIFF', 'BBF', 'Zarr']

t.test('whoever sees the service first learns what it reads', async (t) => {
  const formats = FORMATS.rows.map(({ id }) => id)
  t.same(formats.toSorted(), NAMES.map((name) => name.toLowerCase()).toSorted(), 'all formats')
  const { url } = await startTestServer(t)
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { description: string } }
  const home = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const texts: Readonly<Record<string, string>> = {
    'README.md': read('README.md'),
    'docs/index.md': read('docs/index.md'),
    'the home page': /<p>(.*?)<\/p>/s.exec(home)?.[1] ?? '',
    'the OpenAPI document': document.info.description,
    'package.json': `${JSON.parse(read('package.json')).description}.`,
  }
  for (const [place, text] of Object.entries(texts)) {
    const [sentence = ''] = /[^\n.][^.]*\./.exec(text.replace(/^#.*\n+/, '')) ?? []
    for (const name of NAMES) t.ok(sentence.includes(name), `${place} names ${name}`)
  }
})
