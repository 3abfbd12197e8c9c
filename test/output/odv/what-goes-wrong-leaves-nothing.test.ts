import t from 'tap'
import { OPTIONS, startOdvService } from './odv-service.ts'
import { readArchive, readSpreadsheet } from './read-archive.ts'

/** One station, of which it is not known before its last row what it is, and some short ones. Times run backwards. */
const ROWS = 70_000
const LINES = Array.from({ length: ROWS }, (_, row) => {
  const time = new Date(1.7e12 - row * 1000).toISOString().slice(0, -5)
  return row % 100 === 0 ? `s${row},${time},1.5,2.5,${row},${row}` : `long,${time},5.5,50.5,3,${row}`
})
const FILES = { 'rows.csv': `cruise,time,lon,lat,depth,temp\n${LINES.join('\n')}\n` }

const LIMITS = { SERVICE_WORKERS: '3', SERVICE_MAX_OUTPUT_BYTES: String(4 << 20) }
const one = await startOdvService(t, FILES, { SERVICE_WORKERS: '1' })
const three = await startOdvService(t, FILES, LIMITS)

function asked(compression: string) {
  return {
    select: ['cruise', 'time', 'lon', 'lat', 'depth', 'temp'],
    from: { csv: { paths: ['rows.csv'] } },
    output: { format: { odv: { ...OPTIONS, compression } } },
  }
}

t.test('the same bytes, however many workers there are', async (t) => {
  const [first, second] = await Promise.all([one.ask(asked('Deflate')), three.ask(asked('Deflate'))])
  t.same([first.status, second.status], [200, 200])
  const bytes = Buffer.from(await first.arrayBuffer())
  t.ok(bytes.equals(Buffer.from(await second.arrayBuffer())))
  const files = readArchive(bytes)
  t.equal(readSpreadsheet(files.get('profile.txt') ?? '').rows.length, ROWS / 100)
  const { rows } = readSpreadsheet(files.get('timeseries.txt') ?? '')
  t.equal(rows.length, ROWS - ROWS / 100)
  const times = rows.map((row) => row['time_ISO8601'] ?? '')
  t.ok(times.every((time, index) => index === 0 || (times[index - 1] ?? '') < time))
})

t.test('an archive that is too large', async (t) => {
  const answer = await three.ask(asked('Stored'))
  t.equal(answer.status, 400)
  t.match(await answer.json(), 'SERVICE_MAX_OUTPUT_BYTES')
  t.same(three.temporaryFiles(), [])
})

t.test('a client that leaves does not keep the next one waiting', async (t) => {
  const client = new AbortController()
  const left = t.rejects(one.ask(asked('Zstd'), client.signal), { name: 'AbortError' })
  const next = one.ask(asked('Stored'))
  client.abort()
  await left
  const answer = await next
  t.equal(answer.status, 200)
  t.ok(readArchive(Buffer.from(await answer.arrayBuffer())))
  t.same(one.temporaryFiles(), [])
})
