import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Variable, writeNetcdf } from '../../src/sample/write-netcdf.ts'

/** What stands for null. */
export const FILL = 99_999

/** A profile: where and when it was taken, and what was measured at its levels. */
export interface Profile {
  readonly lat: number
  readonly lon: number
  /** Days since 2020-01-01. */
  readonly day: number
  readonly temp: readonly number[]
  /** Whether `lat` has a value for each level. */
  readonly isMoving?: boolean
  /** Whether it has no `lon`. */
  readonly isShort?: boolean
}

/** Writes a profile to the folder, as a classic NetCDF file. */
export function writeProfile(folder: string, name: string, profile: Profile): void {
  const { lat, lon, day, temp, isMoving = false, isShort = false } = profile
  const scalar = (name: string, value: number, units: string): Variable => ({
    name,
    dimensions: [],
    values: Float64Array.of(value),
    attributes: { units, _FillValue: FILL },
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, name),
    writeNetcdf({ level: temp.length }, {}, [
      isMoving
        ? {
            ...scalar('lat', lat, 'degrees_north'),
            dimensions: ['level'],
            values: Float64Array.from(temp, (_, level) => lat + level),
          }
        : scalar('lat', lat, 'degrees_north'),
      ...(isShort ? [] : [scalar('lon', lon, 'degrees_east')]),
      scalar('day', day, 'days since 2020-01-01 00:00:00'),
      {
        name: 'temp',
        dimensions: ['level'],
        values: Float32Array.from(temp),
        attributes: { units: 'degree_Celsius', _FillValue: FILL },
      },
    ]),
  )
}
