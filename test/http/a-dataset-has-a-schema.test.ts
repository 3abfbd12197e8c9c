import t from 'tap'
import type { QueryService } from '../../src/main/query/run/service.ts'
import { field, type Schema } from '../../src/plan/types/schema.ts'
import { startTestServer } from './test-server.ts'

const SCHEMA: Schema = {
  fields: [field('TIME', { kind: 'timestamp', unit: 'nanosecond', zone: null })],
  metadata: { source: 'test' },
}

t.test('of the files that the parameter names, read by the end of the name', async (t) => {
  const asked: unknown[] = []
  const schema: QueryService['schema'] = async (format, paths) => {
    asked.push([format.key, paths])
    return SCHEMA
  }
  const { url } = await startTestServer(t, { queries: { schema } })
  for (const file of ['obs/*.parquet', 'A B.PARQUET', 'x.geoparquet', 'x.arrows', 'x.IPC', 'x.tsv']) {
    const answer = await fetch(`${url}/api/dataset-schema?file=${encodeURIComponent(file)}`)
    t.same(await answer.json(), {
      fields: [
        {
          name: 'TIME',
          data_type: { Timestamp: ['Nanosecond', null] },
          nullable: true,
          dict_id: 0,
          dict_is_ordered: false,
          metadata: {},
        },
      ],
      metadata: { source: 'test' },
    })
  }
  t.same(asked, [
    ['parquet', ['obs/*.parquet']],
    ['parquet', ['A B.PARQUET']],
    ['parquet', ['x.geoparquet']],
    ['arrow', ['x.arrows']],
    ['arrow', ['x.IPC']],
    ['csv {"delimiter":"\\t","infer_records":128000}', ['x.tsv']],
  ])
})

t.test('of a folder that is a dataset, by its name or its marker', async (t) => {
  const asked: string[] = []
  const schema: QueryService['schema'] = async (format, paths) => {
    asked.push(`${format.key} ${paths}`)
    return SCHEMA
  }
  const files = { 'plain/zarr.json': '', 'plain/winter/zarr.json': '', 'old/.zgroup': '', 'data/readme': '' }
  const { url } = await startTestServer(t, { queries: { schema }, files })
  const named = ['x.zarr', 'x.ZARR/', '*/zarr.json', 'old/.zgroup', 'plain', 'plain/', 'plain/winter', 'old']
  for (const file of named) await fetch(`${url}/api/dataset-schema?file=${file}`)
  t.same(
    asked,
    named.map((file) => `zarr ${file}`),
  )
  for (const file of ['data', 'pl*', '../plain'])
    t.equal((await fetch(`${url}/api/dataset-schema?file=${file}`)).status, 400, file)
})

t.test('what no format reads is 400 and named', async (t) => {
  const { url } = await startTestServer(t)
  for (const file of ['grid.png', 'readme', 'obs/', 'a.parquet.gz', '']) {
    const answer = await fetch(`${url}/api/dataset-schema?file=${file}`)
    t.equal(answer.status, 400, file)
    t.match(answer.headers.get('content-type'), /^text\/plain/)
    t.ok((await answer.text()).startsWith(`${JSON.stringify(file)}:`))
  }
})

t.test('without the parameter, or with two, it is 400', async (t) => {
  const { url } = await startTestServer(t)
  for (const query of ['', '?file=a.parquet&file=b.parquet']) {
    const answer = await fetch(`${url}/api/dataset-schema${query}`)
    t.equal(answer.status, 400)
    t.match(await answer.text(), /`file`/)
  }
})
