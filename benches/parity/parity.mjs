// Compares counts of pixels: trueup beside pixelmatch 7.2 and 8.0, which it has to equal, and odiff, which it need not.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import pixelmatch7 from 'pixelmatch7';
import pixelmatch8 from 'pixelmatch8';

const [trueup, folder] = process.argv.slice(2);
const WIDTH = 160;
const HEIGHT = 120;

/** The same numbers on every run: xorshift. */
function random(seed) {
    let state = seed >>> 0 || 1;
    return (below) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % below;
    };
}

function blank(color = [255, 255, 255, 255]) {
    const data = new Uint8Array(WIDTH * HEIGHT * 4);
    for (let i = 0; i < data.length; i += 4) data.set(color, i);
    return data;
}

/** Paints a disc whose edge is antialiased, straight alpha over what is there. */
function disc(data, cx, cy, radius, color) {
    for (let y = 0; y < HEIGHT; y++) {
        for (let x = 0; x < WIDTH; x++) {
            const inside = radius + 0.5 - Math.hypot(x - cx, y - cy);
            const share = Math.min(Math.max(inside, 0), 1);
            const at = (y * WIDTH + x) * 4;
            for (let c = 0; c < 4; c++) data[at + c] = Math.round(data[at + c] * (1 - share) + color[c] * share);
        }
    }
}

/** A page of discs and bars; `shift` moves everything by a part of a pixel. */
function drawing(seed, shift, alpha) {
    const next = random(seed);
    const data = blank(alpha ? [0, 0, 0, 0] : undefined);
    for (let i = 0; i < 14; i++) {
        const color = [next(256), next(256), next(256), alpha ? 40 + next(216) : 255];
        disc(data, next(WIDTH) + shift, next(HEIGHT) + shift / 2, 4 + next(22), color);
    }
    return data;
}

/** Every sample its own noise of at most `by` levels. */
function noisy(data, seed, by, alpha) {
    const next = random(seed);
    return data.map((sample, i) => (i % 4 === 3 && !alpha ? sample : Math.min(255, Math.max(0, sample + next(2 * by + 1) - by))));
}

function scattered(seed, alpha) {
    const next = random(seed);
    return blank().map((sample, i) => (i % 4 === 3 && !alpha ? 255 : next(256)));
}

const pairs = {
    'discs, moved by 0.3 px': [drawing(1, 0, false), drawing(1, 0.3, false)],
    'discs, moved by 1 px': [drawing(2, 0, false), drawing(2, 1, false)],
    'discs under noise of 24': [drawing(3, 0, false), noisy(drawing(3, 0, false), 4, 24, false)],
    'unlike colours': [scattered(5, false), scattered(6, false)],
    'near colours': [scattered(7, false), noisy(scattered(7, false), 8, 30, false)],
    'translucent discs, moved': [drawing(9, 0, true), drawing(9, 0.4, true)],
    'translucent noise': [scattered(10, true), noisy(scattered(10, true), 11, 40, true)],
    'unlike and translucent': [scattered(12, true), scattered(13, true)],
};

function png(data, name) {
    const file = join(folder, name);
    const image = new PNG({ width: WIDTH, height: HEIGHT });
    image.data = Buffer.from(data);
    writeFileSync(file, PNG.sync.write(image));
    return file;
}

function ours(files, metric, threshold, antialiasing) {
    const key = metric === 'yiq' ? 'yiq' : 'oklab_hyab';
    const args = ['diff', ...files, '--metric', metric, '--tolerance', `${key}=${threshold * 100}`, '--backdrop', 'pixelmatch'];
    args.push('--aa', antialiasing ? 'pixelmatch' : 'off', '--format', 'json');
    return JSON.parse(output(trueup, args)).visible_pixels;
}

function output(program, args) {
    try {
        return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
        if (error.stdout) return error.stdout;
        throw error;
    }
}

const native = (() => {
    const base = join(folder, 'node_modules', '@odiff');
    try {
        const platform = readdirSync(base)[0];
        const bin = readdirSync(join(base, platform), { recursive: true }).find((file) => /(^|\/)odiff[^/.]*$/.test(file));
        return bin && join(base, platform, bin);
    } catch {
        return undefined;
    }
})();

function odiff(files, threshold, antialiasing) {
    if (!native) return '–';
    const args = [...files, join(folder, 'odiff.png'), '--parsable-stdout', '-t', String(threshold)];
    if (antialiasing) args.push('--antialiasing');
    const text = output(native, args).trim();
    return text === '' ? 0 : Number(text.split(';')[0]);
}

mkdirSync(folder, { recursive: true });
console.log('| pair | threshold | antialiasing | pixelmatch 7.2 | trueup yiq | pixelmatch 8.0 | trueup oklab-hyab | odiff 4.5 |');
console.log('|---|---|---|---|---|---|---|---|');
let compared = 0;
let unequal = 0;
for (const [name, [first, second]] of Object.entries(pairs)) {
    const files = [png(first, 'first.png'), png(second, 'second.png')];
    for (const threshold of [0.05, 0.1, 0.2]) {
        for (const antialiasing of [false, true]) {
            const options = { threshold, includeAA: !antialiasing };
            const seven = pixelmatch7(first, second, undefined, WIDTH, HEIGHT, options);
            const eight = pixelmatch8(first, second, undefined, WIDTH, HEIGHT, options);
            const yiq = ours(files, 'yiq', threshold, antialiasing);
            const oklab = ours(files, 'oklab-hyab', threshold, antialiasing);
            compared += 2;
            unequal += (seven !== yiq) + (eight !== oklab);
            const mark = (theirs, count) => (theirs === count ? count : `**${count}**`);
            const cells = [name, threshold, antialiasing ? 'excused' : 'counted', seven, mark(seven, yiq), eight, mark(eight, oklab)];
            console.log(`| ${cells.join(' | ')} | ${odiff(files, threshold, antialiasing)} |`);
        }
    }
}
console.log(`\n${compared} counts compared with pixelmatch, ${unequal} of them unequal.`);
process.exit(unequal > 0 ? 1 : 0);
