// Plots, legends, tables and words, on every screen: readable, whole, and what they must say. Without WebGL, which draws
// none of them and takes longest.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { find, isLink, look, settle } from './pixels.mjs';
import { session, stateOf } from './session.mjs';

const { with_ } = session({
  webgl: false,
  names: ['two-link', 'long-names', 'many-channels', 'failed', 'interrupted', 'failed-at-once'],
});

// Notes every text that is drawn on a canvas: its size in CSS px, and whether it lies on the canvas.
function noteTexts() {
  const { fillText } = CanvasRenderingContext2D.prototype;
  window.texts = [];
  CanvasRenderingContext2D.prototype.fillText = function note(text, x, y, ...rest) {
    const { a, b, c, d, e, f } = this.getTransform();
    const px = this.canvas.width / this.canvas.clientWidth; // of the screen per CSS px
    const long = this.measureText(text).width;
    const from = { center: x - long / 2, right: x - long, end: x - long }[this.textAlign] ?? x;
    const inside = [from, from + long].every((u) => {
      const [across, down] = [a * u + c * y + e, b * u + d * y + f];
      return across > -1 && across < this.canvas.width + 1 && down > -1 && down < this.canvas.height + 1;
    });
    const size = (parseFloat(/([\d.]+)px/.exec(this.font)[1]) * Math.hypot(a, b)) / px;
    window.texts.push({ text, size, inside });
    return fillText.call(this, text, x, y, ...rest);
  };
}

// Texts of the page that are smaller than 10 CSS px; labels that are cut off.
const faults = (page) =>
  page.evaluate(() => {
    const found = [];
    for (const { text, size, inside } of window.texts) {
      if (size < 10) found.push(`axis text ${text}: ${size.toFixed(1)} px`);
      if (!inside) found.push(`axis text ${text} leaves the plot`);
    }
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const e = walk.currentNode.parentElement;
      if (!walk.currentNode.data.trim() || !e.checkVisibility()) continue;
      const size = parseFloat(getComputedStyle(e).fontSize);
      if (size < 10) found.push(`${walk.currentNode.data.trim()}: ${size} px`);
    }
    for (const label of document.querySelectorAll('.line .label, .plot-title, .run .label')) {
      if (!label.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(label);
      const text = range.getBoundingClientRect();
      for (let box = label; box.id !== 'plots' && box !== document.body; box = box.parentElement) {
        const { left, right } = box.getBoundingClientRect();
        if (text.left < left - 1 || text.right > right + 1)
          found.push(`${label.textContent} is cut off by ${box.className}`);
      }
      const button = label.parentElement.getBoundingClientRect();
      if (text.bottom > button.bottom + 1 || text.top < button.top - 1)
        found.push(`${label.textContent} is higher than its line`);
    }
    return [...new Set(found)];
  });

for (const deviceScaleFactor of [1, 2, 3])
  test(`device pixel ratio ${deviceScaleFactor}: text of axes has 10 px and more, legends are whole`, async () => {
    for (const name of deviceScaleFactor === 2 ? ['two-link', 'long-names'] : ['long-names']) {
      await with_(name, { deviceScaleFactor, script: noteTexts }, async (page) => {
        for (const width of [360, 1400, 2560])
          for (const colorScheme of ['light', 'dark']) {
            await page.evaluate(() => (window.texts.length = 0));
            await page.emulateMedia({ colorScheme });
            await page.setViewportSize({ width, height: 900 });
            await page.locator('.plot').first().scrollIntoViewIfNeeded();
            await settle(page);
            const where = `${name}, ${width} px, ${colorScheme}`;
            assert.ok((await page.evaluate(() => window.texts.length)) > 8, `${where}: axes are drawn`);
            assert.deepEqual(await faults(page), [], where);
            assert.equal(await page.locator('.plot .line').first().locator('.label').isVisible(), true);
          }
      });
    }
  });

test('without WebGL: a plain message, the plots still there', async () => {
  await with_('two-link', {}, async (page) => {
    assert.match(await page.locator('#no-webgl').innerText(), /needs WebGL/);
    assert.ok(find(await look(page, '.plot >> nth=0 >> canvas'), isLink).length > 200);
    await page.keyboard.press('End');
    assert.equal(await page.evaluate(() => window.limber.state().time), 4);
  });
});

// Where the cursor line of a plot stands, and where it should, in px.
const cursor = (page, n) =>
  page
    .locator('.plot')
    .nth(n)
    .evaluate((f) => {
      const over = f.querySelector('.u-over').getBoundingClientRect();
      const now = f.querySelector('.now').getBoundingClientRect();
      const { time, zoom } = window.limber.state();
      const [from, to] = zoom ?? [0, 4];
      return [(now.left + now.right) / 2 - over.left, ((time - from) / (to - from)) * over.width];
    });

test('the time line stands at its time after a drag zoom, a double click and a new width', async () => {
  await with_('two-link', {}, async (page) => {
    const stands = async (what) => {
      await settle(page);
      for (const n of [0, 1]) {
        const [is, should] = await cursor(page, n);
        assert.ok(Math.abs(is - should) < 1.5, `${what}: plot ${n} has its line at ${is}, not ${should} px`);
      }
    };
    const box = await page.locator('.u-over').first().boundingBox();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.3, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.2, y, { steps: 3 });
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    await page.mouse.up();
    await stands('zoomed');
    await page.mouse.dblclick(box.x + box.width * 0.7, y);
    assert.equal(await page.evaluate(() => window.limber.state().zoom), null);
    await stands('all times');
    await page.setViewportSize({ width: 1400, height: 700 });
    await stands('wider');
  });
});

test('Space plays while a tab or a button pressed by the pointer has the focus', async () => {
  await with_('two-link', {}, async (page) => {
    const playing = () => page.evaluate(() => window.limber.state().playing);
    const tab = page.locator('#tabs button', { hasText: 'Details' });
    const space = async (expected, why) => {
      await page.keyboard.press('Space');
      assert.equal(await playing(), expected, why);
    };
    await tab.click();
    await space(true, 'a tab that was clicked');
    await page.locator('#loop').click();
    const loop = await page.locator('#loop').getAttribute('aria-pressed');
    await space(false, 'a button that was clicked');
    assert.equal(await page.locator('#loop').getAttribute('aria-pressed'), loop, 'is not pressed again');
    await page.locator('#theme').focus();
    await page.keyboard.press('Tab');
    await page.locator('#tabs button', { hasText: 'Plots' }).focus();
    await space(false, 'a tab in hand is chosen');
    assert.equal(await page.locator('#side').getAttribute('data-tab'), 'plots');
    await space(true, 'a tab that is shown');
    await page.keyboard.press('Space');
  });
});

test('tables are whole at 360 and 1100 px, long rows and many columns', async () => {
  await with_('long-names', {}, async (page) => {
    for (const width of [1100, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await page.locator('#tabs button', { hasText: 'Details' }).click();
      await settle(page);
      const cut = await page.locator('.table .wide').evaluateAll((all) => all.map((e) => e.scrollWidth - e.clientWidth));
      assert.ok(cut.length > 2 && Math.max(...cut) <= 1, `${cut} px of the tables are hidden at ${width} px`);
    }
  });
});

test('legend buttons switch lines', async () => {
  await with_('two-link', {}, async (page) => {
    const plot = page.locator('.plot').first();
    const orange = async () =>
      find(await look(page, '.plot >> nth=0 >> canvas'), (r, g, b) => r > 200 && g > 120 && g < 190 && b < 90)
        .length;
    const button = plot.locator('.legend .line').nth(1);
    assert.ok((await orange()) > 200);
    await button.focus();
    await page.keyboard.press('Enter');
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    assert.equal(await orange(), 0);
    await page.keyboard.press('Space');
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    assert.ok((await orange()) > 200);
    assert.equal((await stateOf(page)).playing, false, 'space belongs to the focused button');
  });
});

test('axes carry units', async () => {
  await with_('two-link', {}, async (page) => {
    assert.deepEqual((await page.locator('.plot-unit').allTextContents()).slice(0, 2), ['[mm]', '[m]']);
    await page.locator('summary', { hasText: 'Strains' }).click();
    await page.locator('.plot', { hasText: 'gauge 1.strain' }).scrollIntoViewIfNeeded();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.plot-unit')].some((e) => e.textContent === '[µε]'),
    );
  });
});

test('many channels stay usable: few lines at first, groups built when opened', async () => {
  await with_('many-channels', {}, async (page) => {
    assert.equal(await page.locator('.plot').first().locator('.line[aria-pressed=true]').count(), 8);
    await page.locator('.legend button', { hasText: 'all 60' }).first().click();
    assert.equal(await page.locator('.plot').first().locator('.line[aria-pressed=true]').count(), 60);
  });
});

test('failed and interrupted runs say so', async () => {
  await with_('failed', {}, async (page) => {
    assert.match(
      await page.locator('#banner').innerText(),
      /run failed at 1\.25 s.*explicit step is too long/s,
    );
  });
  await with_('interrupted', {}, async (page) =>
    assert.match(await page.locator('#banner').innerText(), /interrupted at 2 s/),
  );
  await with_('failed-at-once', {}, async (page) =>
    assert.match(await page.locator('#banner').innerText(), /failed.*no static equilibrium/s),
  );
  await with_('two-link', {}, async (page) => assert.ok(await page.locator('#banner').isHidden()));
});

test('details: settings, energy balance, warnings, changes, model file', async () => {
  await with_('two-link', {}, async (page) => {
    await page.locator('#tabs button', { hasText: 'Details' }).click();
    const text = await page.locator('#details').innerText();
    for (const part of [
      'generalized-alpha',
      'Energy balance',
      'imbalance',
      'Warnings',
      'critical',
      'solver.step=1 ms',
    ])
      assert.ok(text.includes(part), part);
    await page.locator('.model summary').click();
    assert.match(await page.locator('.model pre').innerText(), /gravity: \[0, -9\.81, 0\]/);
  });
});
