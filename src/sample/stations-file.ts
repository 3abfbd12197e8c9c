import type { Observation } from './profiles-file.ts'

const HEADER = `//<Encoding>UTF-8</Encoding>
//<DataField>Ocean</DataField>
//<DataType>Profiles</DataType>
//
//<MetaVariable>label="Cruise" value_type="INDEXED_TEXT" qf_schema="" comment="the float"</MetaVariable>
//<MetaVariable>label="Station" value_type="INDEXED_TEXT" qf_schema="" comment="the number of the profile"</MetaVariable>
//<MetaVariable>label="Type" value_type="TEXT:2" qf_schema="" comment=""</MetaVariable>
//<MetaVariable>label="Longitude [degrees_east]" value_type="DOUBLE" qf_schema="" comment=""</MetaVariable>
//<MetaVariable>label="Latitude [degrees_north]" value_type="DOUBLE" qf_schema="" comment=""</MetaVariable>
//<DataVariable>label="Depth [m]" value_type="FLOAT" qf_schema="ODV" comment="" is_primary_variable="T"</DataVariable>
//<DataVariable>label="Temperature [degC]" value_type="DOUBLE" qf_schema="ODV" comment=""</DataVariable>
//<DataVariable>label="Salinity [psu]" value_type="DOUBLE" qf_schema="ODV" comment="practical salinity"</DataVariable>
//
`

const TITLES = [
  'Cruise',
  'Station',
  'Type',
  'yyyy-mm-ddThh:mm:ss.sss',
  'Longitude [degrees_east]',
  'Latitude [degrees_north]',
  'Depth [m]',
  'QV:ODV:Depth [m]',
  'Temperature [degC]',
  'QV:ODV:Temperature [degC]',
  'Salinity [psu]',
  'QV:ODV:Salinity [psu]',
]

/** Quality flags of ODV: good, and unknown. */
const GOOD = '0'
const UNKNOWN = '1'

/**
 * The profiles of one float as a spreadsheet of Ocean Data View: each is a station, whose first row alone has its metadata.
 * `observations` have all depths of one profile after the other.
 */
export function stationsFile(observations: readonly Observation[]): string {
  let station = 0
  const lines = observations.map((each, index) => {
    const isFirst = observations[index - 1]?.time !== each.time
    if (isFirst) station++
    const time = new Date(each.time).toISOString().slice(0, -1)
    const metadata = [each.platform, station, 'C', time, each.longitude, each.latitude]
    const measured = [each.depth, each.temperature, each.salinity].flatMap((value) => [
      value ?? '',
      value === null ? UNKNOWN : GOOD,
    ])
    return [...(isFirst ? metadata : metadata.map(() => '')), ...measured].join('\t')
  })
  return `${HEADER}${[TITLES.join('\t'), ...lines].join('\n')}\n`
}
