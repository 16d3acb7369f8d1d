import { useEffect, useState } from 'react'
import { useTexts } from './language.tsx'

const TEXTS = {
  ko: {
    left: (seconds: number) => `이 가격은 ${seconds}초 동안 유지돼요`,
    over: '가격 유지 시간이 끝났어요',
  },
  en: { left: (seconds: number) => `This price holds for ${seconds} s`, over: 'This price no longer holds' },
}

// Seconds left of a stretch that began when `key` last changed. By the clock that nobody can set.
export function useSecondsLeft(seconds: number, key: string): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    void key // another stretch of the same length begins anew
    const until = performance.now() + seconds * 1_000
    const tick = () => setLeft(Math.max(0, (until - performance.now()) / 1_000))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [seconds, key])
  return left
}

export function Countdown({ left, of }: { left: number; of: number }) {
  const texts = useTexts(TEXTS)
  const whole = Math.ceil(left)
  const text = left > 0 ? texts.left(whole) : texts.over
  return (
    <div className="flex flex-col gap-2">
      <div role="timer" className={`text-sm font-medium ${whole <= 10 ? 'text-up' : 'text-sub'}`}>
        {text}
      </div>
      <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-line">
        <div
          className={`h-full origin-left rounded-full ${whole <= 10 ? 'bg-up' : 'bg-action'}`}
          style={{ transform: `scaleX(${of > 0 ? left / of : 0})` }}
        />
      </div>
      <span aria-live="assertive" className="sr-only">
        {whole === 10 || left === 0 ? text : ''}
      </span>
    </div>
  )
}
