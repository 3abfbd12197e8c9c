import { readFileSync } from 'node:fs'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import { readPageHeader } from '../../src/workers/formats/parquet/pages/pages.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { memorySource } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { generator } from '../support/generate.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

for (const name of ['flat-required', 'pages-v1', 'pages-v2', 'pages-nested-v1', 'pages-nested-v2']) {
  t.test(name, async (t) => {
    const bytes = readFileSync(fixture('parquet', name))
    const random = generator(name)
    for (let round = 0; round < 40; round++) {
      const [group] = readFooter(memorySource(bytes)).rowGroups
      const chunk = group?.columns[random(group.columns.length)]?.metaData
      if (!chunk) continue
      const start = chunk.dictionaryPageOffset ?? chunk.dataPageOffset
      const { header, headerBytes } = readPageHeader(bytes.subarray(start))
      const damaged = Uint8Array.from(bytes)
      const at = start + headerBytes + random(header.compressedSize)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << random(8))
      const source = memorySource(damaged, 'flipped')
      t.throws(() => readAll(parquet.open(source, context), source, context), {
        code: 'unreadable_file',
        message: /"flipped" .*row group 0: column ".+": the checksum of a page is wrong/,
      })
    }
    t.equal(core.usedBytes(), 0)
  })
}
