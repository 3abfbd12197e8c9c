import type { FunctionFamily } from '../function-row.ts'
import { macro, once, row } from '../row.ts'

/**
 * The gravity of TEOS-10 at the sea surface, m/s², is G₀(1 + (G₁ + G₂s)s), s being the square of the latitude's sine; it grows by
 * `GRAVITY_BY_DEPTH` of itself for each metre of depth. IOC, SCOR and IAPSO (2010), appendix D, as in `gsw_z_from_p` of the toolbox GSW.
 */
const GRAVITY = ['9.780327e0', '5.2792e-3', '2.32e-5'] as const
const GRAVITY_BY_DEPTH = '2.26e-7'

/**
 * The enthalpy of seawater of Standard Ocean Reference Salinity and 0 °C as powers of the pressure in 10⁴ dbar, from the first power on; 10⁸ of
 * them are J/kg. Roquet and others (2015), 75 terms, as in `gsw_enthalpy_sso_0` of GSW.
 */
const ENTHALPY: readonly string[] = [
  '9.726613854843870e-4',
  '-2.252956605630465e-5',
  '2.376909655387404e-6',
  '-1.664294869986011e-7',
  '-5.988108894465758e-9',
  '-2.1078768810e-9',
  '2.8019291329e-10',
]

/** In GSW's order of steps, so that the results are equal to the last bit. */
function depthOf(pressure: string, latitude: string): string {
  const [g0, g1, g2] = GRAVITY
  const sin2 = `(sin(radians(${latitude})) * sin(radians(${latitude})))`
  const p = `(${pressure} * 1e-4)`
  const polynomial = ENTHALPY.toReversed().reduce((sum, term) => `(${term} + ${p} * ${sum})`)
  const enthalpy = `(${p} * ${polynomial} * 1e8)`
  const gravity = `(${g0} * (1e0 + (${g1} + (${g2} * ${sin2})) * ${sin2}))`
  const growth = `(-0.5e0 * ${GRAVITY_BY_DEPTH} * ${gravity})`
  return `2e0 * ${enthalpy} / (${gravity} + sqrt(${gravity} * ${gravity} - 4e0 * ${growth} * ${enthalpy}))`
}

/** Functions of the physics of seawater. */
export const SEAWATER: FunctionFamily = Object.freeze({
  title: 'Seawater',
  about:
    'By the equations of TEOS-10, the standard for seawater of 2010, in the steps of its toolbox [GSW](https://www.teos-10.org/).',
  rows: [
    row({
      name: 'pressure_to_depth_teos_10',
      overloads: ['pressure DOUBLE, latitude DOUBLE -> DOUBLE'],
      form: macro(
        once(['pressure', 'latitude'], (pressure, latitude) =>
          depthOf(`CAST(${pressure} AS DOUBLE)`, `CAST(${latitude} AS DOUBLE)`),
        ),
      ),
      description:
        'The depth in metres, downward from the surface, at a pressure of the sea (without that of the air) in decibars and a latitude in degrees: what `-gsw_z_from_p` gives.',
      examples: [
        ['round(pressure_to_depth_teos_10(1000, 45), 3)', '989.5'],
        ['pressure_to_depth_teos_10(0, 45)', '0.0'],
      ],
    }),
  ],
})
