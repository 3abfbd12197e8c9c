import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')

t.test('a chunk of more bytes than SERVICE_MAX_CHUNK_BYTES is a 400 in each engine', async (t) => {
  // Chunks have 24 elements, contiguous variables none.
  const service = await startTestService(t, { settings: { SERVICE_MAX_CHUNK_BYTES: '95' } })
  for (const name of ['field-shuffle', 'ragged-timeseries-nc4']) {
    copyFileSync(join(FIXTURES, 'netcdf4', `${name}.nc`), join(service.datasets, `${name}.nc`))
    await untilSettled(join(service.datasets, `${name}.nc`))
  }
  const answerTo = async (sql: string): Promise<string> => {
    const response = await service.query({ sql, output: { format: 'csv' } })
    return `${response.status} ${await response.text()}`
  }
  const refused = /^400 .*its chunks have 96 bytes, and at most 95 are decoded; raise SERVICE_MAX_CHUNK_BYTES/
  t.match(await answerTo("SELECT sum(f4) FROM read_netcdf('field-shuffle.nc')"), refused)
  t.match(await answerTo("SELECT sum(f4 + 1) FROM read_netcdf('field-shuffle.nc')"), refused)
  t.match(await answerTo("SELECT count(i2) FROM read_netcdf('field-shuffle.nc')"), /^200 /)
  t.match(await answerTo("SELECT count(temp) FROM read_netcdf('ragged-timeseries-nc4.nc')"), /^200 .*9/s)
})
