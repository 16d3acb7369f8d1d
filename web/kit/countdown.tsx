import { useEffect, useState } from 'react'

const URGENT_SECONDS = 10
// Four times a second keeps the bar smooth; the text changes once a second.
const TICK_MS = 250

// Seconds left of a period that began when `key` last changed. performance.now() does not jump when the device's clock is
// set.
export function useSecondsLeft(seconds: number, key: string): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    void key // another period of the same length starts again
    const until = performance.now() + seconds * 1_000
    const tick = () => setLeft(Math.max(0, (until - performance.now()) / 1_000))
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [seconds, key])
  return left
}

interface Props {
  left: number
  of: number
  texts: { left(seconds: number): string; over: string }
}

export function Countdown({ left, of, texts }: Props) {
  const whole = Math.ceil(left)
  const isUrgent = whole <= URGENT_SECONDS
  const text = left > 0 ? texts.left(whole) : texts.over
  return (
    <div className="flex flex-col gap-2">
      <div role="timer" className={`text-sm font-medium ${isUrgent ? 'text-up' : 'text-sub'}`}>
        {text}
      </div>
      <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-line">
        <div
          className={`h-full origin-left rounded-full ${isUrgent ? 'bg-up' : 'bg-action'}`}
          style={{ transform: `scaleX(${of > 0 ? left / of : 0})` }}
        />
      </div>
      {/* A screen reader hears it twice, not every second. */}
      <span aria-live="assertive" className="sr-only">
        {whole === URGENT_SECONDS || left === 0 ? text : ''}
      </span>
    </div>
  )
}
