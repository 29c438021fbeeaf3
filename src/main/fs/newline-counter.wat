;; Counts line feeds (0x0A) in the memory that files are read into, 16 bytes an instruction.
;; Assembled by scripts/assemble-newline-counter.mjs into newline-counter-wasm.ts.
(module
  ;; 32 pages = 2 MiB: 4 slots of 2 halves of 262,144 bytes. The maximum equals the minimum: growing would detach the
  ;; buffer that a read under way writes to.
  (memory (export "memory") 32 32)

  ;; Line feeds in [start, end).
  (func (export "count") (param $start i32) (param $end i32) (result i32)
    (local $at i32) (local $stop i32) (local $blockStop i32)
    (local $lanes v128) (local $sums v128) (local $total i32)
    (local.set $at (local.get $start))
    ;; Whole blocks of 64 bytes.
    (local.set $stop (i32.add (local.get $start)
      (i32.and (i32.sub (local.get $end) (local.get $start)) (i32.const -64))))
    (block $counted
      (loop $sums8
        (br_if $counted (i32.ge_u (local.get $at) (local.get $stop)))
        ;; A lane of 8 bits holds 255: 63 blocks add at most 4 * 63 = 252.
        (local.set $blockStop (i32.add (local.get $at) (i32.const 4032)))
        (if (i32.gt_u (local.get $blockStop) (local.get $stop))
          (then (local.set $blockStop (local.get $stop))))
        (local.set $lanes (v128.const i32x4 0 0 0 0))
        (loop $block
          ;; A lane that is equal is -1.
          (local.set $lanes (i8x16.sub (local.get $lanes)
            (i8x16.add
              (i8x16.add
                (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))
                (i8x16.eq (v128.load offset=16 (local.get $at)) (i8x16.splat (i32.const 10))))
              (i8x16.add
                (i8x16.eq (v128.load offset=32 (local.get $at)) (i8x16.splat (i32.const 10)))
                (i8x16.eq (v128.load offset=48 (local.get $at)) (i8x16.splat (i32.const 10)))))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $block (i32.lt_u (local.get $at) (local.get $blockStop))))
        (local.set $sums (i32x4.add (local.get $sums)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $lanes)))))
        (br $sums8)))
    (local.set $total (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
    ;; The last 63 bytes at most, one by one.
    (block $done
      (loop $byte
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $total (i32.add (local.get $total)
          (i32.eq (i32.load8_u (local.get $at)) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $byte)))
    (local.get $total))

  ;; Address of the $nth line feed (from 1) in [start, end), or -1.
  (func (export "find") (param $start i32) (param $end i32) (param $nth i32) (result i32)
    (local $at i32) (local $stop i32) (local $bits i32) (local $found i32)
    (local.set $at (local.get $start))
    (local.set $stop (i32.add (local.get $start)
      (i32.and (i32.sub (local.get $end) (local.get $start)) (i32.const -16))))
    (block $passed
      (loop $block
        (br_if $passed (i32.ge_u (local.get $at) (local.get $stop)))
        ;; One bit for each of 16 bytes.
        (local.set $bits (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))
        (local.set $found (i32.popcnt (local.get $bits)))
        (if (i32.ge_u (local.get $found) (local.get $nth))
          (then
            (loop $bit
              (local.set $nth (i32.sub (local.get $nth) (i32.const 1)))
              (if (i32.gt_u (local.get $nth) (i32.const 0))
                (then
                  ;; Clears the lowest bit.
                  (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
                  (br $bit))))
            (return (i32.add (local.get $at) (i32.ctz (local.get $bits))))))
        (local.set $nth (i32.sub (local.get $nth) (local.get $found)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $block)))
    (block $missing
      (loop $byte
        (br_if $missing (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 10))
          (then
            (local.set $nth (i32.sub (local.get $nth) (i32.const 1)))
            (if (i32.eqz (local.get $nth)) (then (return (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $byte)))
    (i32.const -1)))
