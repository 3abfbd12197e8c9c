import { copyFileSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { writeProfile } from '../learned/profiles.ts'
import { startAnalyzedService } from './analyzed.ts'

const SAMPLE = join(import.meta.dirname, '..', '..', 'src', 'sample')

t.test('files of all formats have a state, and are looked at again when they have changed', async (t) => {
  const dataDir = t.testdir({})
  const service = await startAnalyzedService(t, { dataDir })
  const at = (path: string): string => join(service.datasets, path)
  mkdirSync(at('a'))
  writeParquetFile(at('a/rows.parquet'), numberedRows(100), 30)
  writeFileSync(at('a/rows.csv'), 'id,name\n1,x\n2,y\n')
  writeFileSync(at('a/broken.parquet'), 'no Parquet')
  writeFileSync(at('a/README.md'), 'not listed')
  writeFileSync(at('a/empty.csv'), '')
  copyFileSync(join(SAMPLE, 'sst.nc'), at('sst.nc'))
  writeProfile(service.datasets, 'profile.nc', { lat: 1, lon: 2, day: 3, temp: [4, 5] })
  symlinkSync('a/rows.csv', at('linked.csv'))
  symlinkSync('/nowhere', at('dangling.csv'))
  t.same(await service.analyze(), {
    discovered: 6,
    requeued: 0,
    analyzed: 5,
    failed: 1,
    segments: 1,
    pending: 0,
  })
  const states = {
    'a/broken.parquet': 'Failed',
    'a/rows.csv': 'Analyzed',
    'a/rows.parquet': 'Analyzed',
    'linked.csv': 'Analyzed',
    'profile.nc': 'Analyzed',
    'sst.nc': 'Analyzed',
  }
  t.same(await service.states(), states)
  const nothing = { discovered: 0, requeued: 0, analyzed: 0, failed: 0, segments: 1, pending: 0 }
  t.same(await service.analyze(), nothing, 'a failed file is not looked at again')
  const columns = 'path, format, column_count, num_rows, stats_epoch, size'
  t.same(
    await service.lines(
      `SELECT ${columns} FROM service.system.file_stats WHERE path LIKE 'a/%' ORDER BY path`,
    ),
    [
      columns.replaceAll(' ', ''),
      'a/broken.parquet,parquet,,,1,10',
      'a/rows.csv,csv,2,,1,16',
      `a/rows.parquet,parquet,3,100,1,${statSync(at('a/rows.parquet')).size}`,
    ],
  )
  t.same(await service.lines('SELECT * FROM service.system.file_stats_segments'), [
    'segment,seq,min_file_id,max_file_id,num_files,num_columns',
    '1-1024,0,1,6,5,19',
  ])
  const known =
    "SELECT * FROM file_statistics(['a/*.parquet', 'profile.nc', 'a/rows.csv']) WHERE \"column\" NOT LIKE '%.%'"
  t.same(await service.lines(known), [
    'path,column,data_type,min,max,null_count,row_count,segment',
    'a/rows.parquet,id,Int32,0,99,0,100,1-1024',
    'a/rows.parquet,noise,Float64,0,0.9918692724313587,0,100,1-1024',
    'a/rows.parquet,name,Utf8,name-0,name-6,0,100,1-1024',
    'profile.nc,day,Timestamp(ns),2020-01-04T00:00:00,2020-01-04T00:00:00,0,2,1-1024',
    'profile.nc,lat,Float64,1,1,0,2,1-1024',
    'profile.nc,lon,Float64,2,2,0,2,1-1024',
    'profile.nc,temp,Float32,4,5,0,2,1-1024',
    'a/rows.csv,id,Int64,,,,,1-1024',
    'a/rows.csv,name,Utf8,,,,,1-1024',
  ])
  t.match(await service.state("SELECT * FROM file_statistics('none.csv')"), /No file matched "none.csv"/)
  await service.close()

  const again = await startAnalyzedService(t, { dataDir })
  t.same(await again.states(), states, 'it stays after a restart')
  t.same(await again.analyze(), nothing)
  t.same(await again.analyze('FORCE'), { ...nothing, requeued: 6, analyzed: 5, failed: 1 })
  writeParquetFile(at('a/broken.parquet'), numberedRows(10), 10)
  writeFileSync(at('a/rows.csv'), 'id,name\n1,x\n2,y\n3,z\n')
  rmSync(at('sst.nc'))
  t.same(await again.analyze("'a'"), { ...nothing, requeued: 2, analyzed: 2 })
  t.equal((await again.states())['sst.nc'], 'Analyzed', 'it lies elsewhere')
  t.same(
    await again.analyze(),
    { ...nothing, requeued: 1, analyzed: 1 },
    'the link leads to what has changed',
  )
  t.equal((await again.states())['sst.nc'], 'Deleted')
  await again.analyze()
  t.notOk(Object.hasOwn(await again.states(), 'sst.nc'))
})

t.test('what cannot be', async (t) => {
  const service = await startAnalyzedService(t, { settings: { SERVICE_FILE_STATS_ENABLE: 'false' } })
  t.match(await service.state('ANALYZE FILES'), /SERVICE_FILE_STATS_ENABLE/)
  const enabled = await startAnalyzedService(t)
  t.match(await enabled.state("ANALYZE FILES 'none'"), /no folder "none"/)
  t.match(await enabled.state("ANALYZE FILES '../x'"), /\.\./)
  t.match(await enabled.state('ANALYZE FILES FORCE x'), /sql, line 1/)
})
