import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import UPlot from 'uplot'
import type { PriceHistory } from '../../../contract/member.gen.ts'
import { shortDate, time, withCommas } from '../../kit/format.ts'
import { useLanguage } from '../../kit/language.tsx'

const HEIGHT = 200
// A label this close to the left edge would be cut off.
const HALF_A_LABEL = 28
const NIGHT = window.matchMedia('(prefers-color-scheme: dark)')

export default function PriceChart({ history, label }: { history: PriceHistory; label: string }) {
  const place = useRef<HTMLDivElement>(null)
  const { language } = useLanguage()
  const isNight = useSyncExternalStore(watchNight, () => NIGHT.matches)
  useEffect(() => {
    void isNight // a canvas keeps the colours it was drawn with, so it is drawn again
    const host = place.current
    if (!host || history.points.length < 2) return
    const xs = history.points.map(({ at }) => Date.parse(at) / 1_000)
    const ys = history.points.map(({ wonPerGram }) => wonPerGram)
    // The whole period decides the colour, as on an exchange's chart.
    const rises = (ys.at(-1) ?? 0) >= (ys[0] ?? 0)
    const tell = (seconds: number) =>
      history.period === '1d' ? time(seconds * 1_000) : shortDate(seconds * 1_000, language)
    const plot = new UPlot(optionsFor(host.clientWidth, rises ? 'up' : 'down', tell), [xs, ys], host)
    // A canvas does not follow its container's width.
    const resized = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: HEIGHT }))
    resized.observe(host)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [history, language, isNight])
  return <div ref={place} role="img" aria-label={label} className="h-[200px] w-full overflow-hidden" />
}

function watchNight(onChange: () => void): () => void {
  NIGHT.addEventListener('change', onChange)
  return () => NIGHT.removeEventListener('change', onChange)
}

function colourOf(name: 'up' | 'down' | 'sub' | 'line'): string {
  // A canvas knows no custom properties, so the colour is read from the page.
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`)
}

// Text inside a canvas does not follow the reader's size: the table beside the chart does.
function optionsFor(width: number, way: 'up' | 'down', tell: (seconds: number) => string): UPlot.Options {
  const colour = colourOf(way)
  const axis = { stroke: colourOf('sub'), font: '12px sans-serif', ticks: { show: false } }
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    padding: [12, 8, 0, 0],
    scales: { x: { time: true } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 72,
        // One that would be cut off by the edge is left out.
        values: (plot, ticks) =>
          ticks.map((tick) => (plot.valToPos(tick, 'x') < HALF_A_LABEL ? '' : tell(tick))),
      },
      {
        ...axis,
        side: 1,
        size: 62,
        grid: { stroke: colourOf('line'), width: 1 },
        values: (_, ticks) => ticks.map((tick) => withCommas(Math.round(tick))),
      },
    ],
    // 14 is a hexadecimal opacity of 8%.
    series: [{}, { stroke: colour, width: 2, fill: `${colour}14`, points: { show: false } }],
  }
}
