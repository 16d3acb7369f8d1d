import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import UPlot from 'uplot'

const HEIGHT = 220
const NIGHT = window.matchMedia('(prefers-color-scheme: dark)')

interface ChartSeries {
  name: string
  values: readonly number[]
  colour: 'link' | 'gold' | 'sub'
}

// As classes, so that the style sheet has these colours: the canvas reads them from there.
const SWATCHES: Record<ChartSeries['colour'], string> = {
  link: 'bg-link',
  gold: 'bg-gold',
  sub: 'bg-sub',
}

interface Props {
  label: string
  // Seconds since 1970.
  xs: readonly number[]
  series: readonly ChartSeries[]
  tell(seconds: number): string
  format(value: number): string
}

// Lines over time. A table beside it has the same figures for keyboards, screen readers and exact reading.
// A default export, because pages load the chart and its library on demand.
export default function LineChart({ label, xs, series, tell, format }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const isNight = useSyncExternalStore(watchNight, () => NIGHT.matches)
  useEffect(() => {
    void isNight // a canvas keeps the colours it was drawn with, so it is drawn again
    const host = place.current
    // One point makes no line.
    if (!host || xs.length < 2) return
    const data = [[...xs], ...series.map(({ values }) => [...values])] as UPlot.AlignedData
    const plot = new UPlot(optionsFor(host.clientWidth, series, tell, format), data, host)
    // A canvas does not follow its container's width.
    const resized = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: HEIGHT }))
    resized.observe(host)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [xs, series, tell, format, isNight])
  return (
    <div>
      {/* One image to a screen reader, so a legend would explain nothing there. */}
      <ul aria-hidden="true" className="flex flex-wrap gap-x-4 pb-1 text-sm text-sub">
        {series.map(({ name, colour }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span className={`inline-block h-0.5 w-4 ${SWATCHES[colour]}`} />
            {name}
          </li>
        ))}
      </ul>
      <div ref={place} role="img" aria-label={label} className="h-[220px] w-full overflow-hidden" />
    </div>
  )
}

function watchNight(onChange: () => void): () => void {
  NIGHT.addEventListener('change', onChange)
  return () => NIGHT.removeEventListener('change', onChange)
}

const colourOf = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`)

function optionsFor(
  width: number,
  series: Props['series'],
  tell: Props['tell'],
  format: Props['format'],
): UPlot.Options {
  // A canvas takes no colours and fonts from the style sheet.
  const axis = { stroke: colourOf('sub'), font: '12px sans-serif', ticks: { show: false } }
  return {
    width,
    height: HEIGHT,
    // The list above the chart is the legend: it wraps, and it has the colours of the style sheet.
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    padding: [12, 8, 0, 0],
    scales: { x: { time: true } },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 72, values: (_, ticks) => ticks.map(tell) },
      {
        ...axis,
        side: 1,
        size: 76,
        grid: { stroke: colourOf('line'), width: 1 },
        values: (_, ticks) => ticks.map((tick) => format(Math.round(tick))),
      },
    ],
    series: [
      {},
      ...series.map(({ name, colour }) => ({
        label: name,
        stroke: colourOf(colour),
        width: 2,
        points: { show: false },
      })),
    ],
  }
}
