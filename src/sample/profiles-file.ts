import { writeNetcdf } from './write-netcdf.ts'

/** What a float measured at one depth of a profile. */
export interface Observation {
  /** Milliseconds since 1970, UTC. */
  time: number
  /** Degrees. */
  latitude: number
  longitude: number
  /** Metres. */
  depth: number
  platform: string
  /** Degrees Celsius. */
  temperature: number | null
  /** Practical salinity. */
  salinity: number | null
}

const HOUR_MS = 3_600_000
/** The value that stands for a missing one, as in Argo's files. */
const MISSING = 99_999
const PLATFORM_CHARACTERS = 8

/** The profiles of one float as a classic NetCDF file. `observations` have all `depths` of one profile after the other. */
export function profilesFile(observations: readonly Observation[], depths: readonly number[]): Uint8Array {
  const profiles = observations.filter((_, index) => index % depths.length === 0)
  const at = (of: (observation: Observation) => number) => Float64Array.from(profiles, of)
  const elements = (of: (observation: Observation) => number | null) =>
    Float32Array.from(observations, (each) => of(each) ?? MISSING)
  const platform = (profiles[0]?.platform ?? '').padEnd(PLATFORM_CHARACTERS)
  const grid = ['profile', 'depth']
  return writeNetcdf(
    { profile: profiles.length, depth: depths.length, string8: PLATFORM_CHARACTERS },
    { title: 'Profiles of a drifting float (made up)', Conventions: 'CF-1.8' },
    [
      {
        name: 'platform',
        dimensions: ['string8'],
        values: Buffer.from(platform),
        attributes: { long_name: 'name of the float' },
      },
      {
        name: 'time',
        dimensions: ['profile'],
        values: at(({ time }) => time / HOUR_MS),
        attributes: { standard_name: 'time', units: 'hours since 1970-01-01 00:00:00' },
      },
      {
        name: 'latitude',
        dimensions: ['profile'],
        values: at(({ latitude }) => latitude),
        attributes: { standard_name: 'latitude', units: 'degrees_north' },
      },
      {
        name: 'longitude',
        dimensions: ['profile'],
        values: at(({ longitude }) => longitude),
        attributes: { standard_name: 'longitude', units: 'degrees_east' },
      },
      {
        name: 'depth',
        dimensions: ['depth'],
        values: Float32Array.from(depths),
        attributes: { standard_name: 'depth', units: 'm' },
      },
      {
        name: 'temperature',
        dimensions: grid,
        values: elements(({ temperature }) => temperature),
        attributes: { standard_name: 'sea_water_temperature', units: 'degree_Celsius', _FillValue: MISSING },
      },
      {
        name: 'salinity',
        dimensions: grid,
        values: elements(({ salinity }) => salinity),
        attributes: { standard_name: 'sea_water_practical_salinity', units: '1', _FillValue: MISSING },
      },
    ],
  )
}
