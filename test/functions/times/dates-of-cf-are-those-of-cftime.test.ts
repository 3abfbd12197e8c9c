import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type CfCalendar, dateOf, dayNumber } from '../../../src/workers/formats/arrays/cf/calendar.ts'
import { answersOf } from '../../e2e/answers.ts'
import { startTestService } from '../../e2e/service.ts'
import { fc } from '../../support/generate.ts'
import { runPython, skipWithout } from '../../support/python.ts'

const CALENDARS: readonly CfCalendar[] = [
  'standard',
  'proleptic_gregorian',
  'julian',
  'noleap',
  'all_leap',
  '360_day',
]

const service = await startTestService(t)
const { rowsOf, scalarOf, failure } = answersOf(service)

t.test('each day has a date, which has its number, and later days have later dates', async (t) => {
  const property = fc.property(
    fc.constantFrom(...CALENDARS),
    fc.integer({ min: -3_000_000, max: 3_000_000 }),
    (calendar, day) => {
      const date = dateOf(calendar, day)
      const [before, after] = [date, dateOf(calendar, day + 1)]
      const order = before.map((part, index) => (after[index] ?? 0) - part)
      const [isLater = 0] = order.filter((difference) => difference !== 0)
      return dayNumber(calendar, ...date) === day && isLater > 0
    },
  )
  fc.assert(property, { numRuns: 3000 })
  t.pass()
})

/** Reads cases from standard input's file, and prints the date of each, rounded to milliseconds and cut to seconds. */
const EXPECTED = `
import cftime, datetime, json, sys, warnings
warnings.simplefilter("ignore")
for value, units, calendar in json.load(open(sys.argv[1])):
    # cftime has no weeks.
    if units.startswith("week"):
        value, units = value * 7, units.replace("weeks", "days").replace("week", "days")
    date = cftime.num2date(value, units, calendar) + datetime.timedelta(microseconds=500)
    print("%04d-%02d-%02dT%02d:%02d:%02d" % (date.year, date.month, date.day, date.hour, date.minute, date.second))
`

/** Units that cftime has, and weeks, with how many of them are some 900 years. */
const UNITS: readonly (readonly [string, number])[] = [
  ['milliseconds', 2.8e13],
  ['seconds', 2.8e10],
  ['s', 2.8e10],
  ['minutes', 4.7e8],
  ['hours', 7.8e6],
  ['Hours', 7.8e6],
  ['days', 3.2e5],
  ['day', 3.2e5],
  ['weeks', 4.6e4],
]

const WRITTEN = [
  'standard',
  'Gregorian',
  'proleptic_gregorian',
  'JULIAN',
  'noleap',
  '365_day',
  'all_leap',
  '366_day',
]

const two = (number: number) => String(number).padStart(2, '0')

const cases = fc
  .record({
    calendar: fc.constantFrom(...WRITTEN, '360_day', '360_DAY'),
    unit: fc.constantFrom(...UNITS),
    // Later than 900 years before, so that no year is one before the first, which calendars count in several ways.
    year: fc.integer({ min: 950, max: 2300 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 9 }),
    second: fc.option(fc.integer({ min: 0, max: 86_399 })),
    zone: fc.constantFrom('', ' UTC', ' +02:00', ' -11:30'),
    share: fc.double({ min: -1, max: 1, noNaN: true }),
    form: fc.constantFrom('whole', 'quarter', 'hour', 'any'),
  })
  // Days that the mixed calendar does not have: cftime refuses them.
  .filter(({ year, month, day }) => year !== 1582 || month !== 10 || day < 5)
  .map(({ calendar, unit: [unit, most], year, month, day, second, zone, share, form }) => {
    const time =
      second === null
        ? ''
        : ` ${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}${zone}`
    const size = { whole: 1, quarter: 4, hour: 24, any: null }[form]
    const value = size === null ? share * most : Math.round(share * most * size) / size
    return [value, `${unit} since ${year}-${month}-${two(day)}${time}`, calendar] as const
  })

t.test('dates of random counts are those of cftime', { skip: skipWithout('cftime') }, async (t) => {
  const drawn = fc.sample(cases, 1500)
  const file = join(service.dataDir, 'cases.json')
  writeFileSync(file, JSON.stringify(drawn))
  const expected = (await runPython(EXPECTED, [file])).trimEnd().split('\n')
  const lines = drawn.map(([value, units, calendar], row) => `${row},${value},${units},${calendar}`)
  writeFileSync(join(service.datasets, 'cases.csv'), `row,value,units,calendar\n${lines.join('\n')}\n`)
  const rows = await rowsOf({
    sql: `SELECT row, cf_date(value::DOUBLE, units, calendar) AS date FROM read_csv('cases.csv') ORDER BY row`,
  })
  t.equal(rows.length, drawn.length)
  for (const [row, { date }] of rows.entries())
    if (date !== expected[row]) t.equal(date, expected[row], JSON.stringify(drawn[row]))
})

const WRITE_NETCDF = `
import netCDF4, sys
with netCDF4.Dataset(sys.argv[1], "w") as file:
    file.createDimension("time", 3)
    time = file.createVariable("time", "f8", ("time",))
    time.units, time.calendar = "days since 1850-01-01", "360_day"
    time[:] = [0, 59.5, 54000]
`

t.test(
  'times of a file in 360_day are dates by its attributes',
  { skip: skipWithout('netCDF4') },
  async (t) => {
    await runPython(WRITE_NETCDF, [join(service.datasets, 'climate.nc')])
    const rows = await rowsOf({
      sql: `SELECT cf_date(time, "time.units", "time.calendar") AS date FROM read_netcdf('climate.nc') ORDER BY time`,
    })
    t.same(
      rows.map(({ date }) => date),
      ['1850-01-01T00:00:00', '1850-02-30T12:00:00', '2000-01-01T00:00:00'],
    )
  },
)

t.test('months and years are those of UDUNITS, in each calendar', async (t) => {
  const date = (value: string, units: string, calendar = 'standard') =>
    scalarOf(`SELECT cf_date(${value}, '${units} since 2001-01-01', '${calendar}')`)
  // 365.242198781 days are 365 days, 5 h 48 min 45.97 s.
  t.equal(await date('1', 'year'), '2002-01-01T05:48:45')
  t.equal(await date('12', 'months'), '2002-01-01T05:48:45')
  t.equal(await date('1', 'years', '360_day'), '2002-01-06T05:48:45')
  t.equal(await date('1', 'month', '360_day'), '2001-02-01T10:29:03')
  t.equal(await date('0.5', 'common_years', 'noleap'), '2001-07-02T12:00:00')
  t.equal(await date('-1', 'yr', 'julian'), '2000-01-01T18:11:14')
})

t.test('integers are exact, and what is no number has no date', async (t) => {
  t.equal(
    await scalarOf(`SELECT cf_date(1700000000123456789, 'nanoseconds since 1970-01-01', 'standard')`),
    '2023-11-14T22:13:20',
  )
  t.equal(await scalarOf(`SELECT cf_date('NaN'::DOUBLE, 'days since 2000-01-01', 'noleap')`), null)
  t.equal(await scalarOf(`SELECT cf_date(NULL, 'days since 2000-01-01', 'noleap')`), null)
  t.equal(await scalarOf(`SELECT cf_date(1, NULL, 'noleap')`), null)
  t.equal(await scalarOf(`SELECT cf_date(1, 'days since 2000-02-28', NULL)`), '2000-02-29T00:00:00')
  t.equal(await scalarOf(`SELECT cf_date(1.5, 'days since 2000-02-28')`), '2000-02-29T12:00:00')
  t.equal(await scalarOf(`SELECT cf_date(-365, 'days since 0001-01-01', 'noleap')`), '0000-01-01T00:00:00')
  t.equal(await scalarOf(`SELECT cf_date(-1, 'days since 0001-01-01', 'julian')`), '-0001-12-31T00:00:00')
  t.match(
    await failure({ sql: `SELECT cf_date(1, 'K', 'noleap')` }),
    /cf_date: 'K' are no units of time.*days since/,
  )
  t.match(
    await failure({ sql: `SELECT cf_date(1, 'days since 2000-02-31', '360_day')` }),
    /'days since 2000-02-31' are no units of time in this calendar/,
  )
  t.match(
    await failure({ sql: `SELECT cf_date(1, 'days since 2000-01-01', 'lunar')` }),
    /there is no calendar 'lunar'; calendars are standard, gregorian, .* or 366_day/,
  )
  t.match(
    await failure({ sql: `SELECT cf_date(1e300, 'days since 2000-01-01', 'noleap')` }),
    /beyond the year 999999/,
  )
})
