import { readFileSync } from 'node:fs'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { readChunks } from '../../src/workers/formats/parquet/metadata/chunks.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import { readColumns } from '../../src/workers/formats/parquet/metadata/schema.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readColumnIndex, readOffsetIndex } from '../../src/workers/formats/parquet/statistics/page-index.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { memorySource } from '../formats/source.ts'
import { readValues } from '../formats/values.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const provider = createParquet({ smallChunk: 0, indexedChunk: 0, together: 0 })

for (const name of ['pages-v1-index', 'pages-v2-index', 'pages-of-noise-index']) {
  t.test(name, async (t) => {
    const source = memorySource(readFileSync(fixture('parquet', name)))
    const metadata = readFooter(source)
    const columns = readColumns(metadata)
    const file = provider.open(source, context)
    let pages = 0
    for (const [segment, chunks] of readChunks(metadata, columns, source.size).entries())
      for (const chunk of chunks) {
        const bounds = readColumnIndex(chunk, source)
        const runs = readOffsetIndex(chunk, source)?.runs ?? []
        t.equal(bounds?.length, runs.length)
        for (const [i, run] of runs.entries()) {
          const to = runs[i + 1]?.firstRow ?? chunk.rows
          const [values] = readValues(
            file,
            source,
            segment,
            run.firstRow,
            to,
            [chunk.leaf.path[0] ?? ''],
            context,
          )
          const page = bounds?.[i]
          t.equal(page?.nulls, values?.filter((value) => value === null).length)
          if (chunk.leaf.path[0] !== 'i64' && chunk.leaf.path[0] !== 'n') continue
          const known = (values ?? []).flatMap((value) =>
            typeof value === 'bigint' ? [BigInt.asIntN(64, value)] : [],
          )
          const sorted = known.toSorted((a, b) => (a < b ? -1 : 1))
          t.equal(page?.min?.value, sorted[0])
          t.equal(page?.max?.value, sorted.at(-1))
          pages++
        }
      }
    t.ok(pages > 3)
  })
}
