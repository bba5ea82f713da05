// Code blocks: copy buttons, folding of expandable blocks, wrapping of long lines, addresses of lines; boxes that scroll. Buttons in the page
// are hidden until here.
(function () {
  'use strict';
  var FOLDED_LINES = 16;
  var words = (document.documentElement.dataset.words || 'Copied|Show all|Show less|Wrap lines').split('|');

  function showCopied(button) {
    var name = button.getAttribute('aria-label');
    if (name === words[0]) return;
    button.setAttribute('data-copied', '');
    button.setAttribute('aria-label', words[0]);
    setTimeout(function () {
      button.removeAttribute('data-copied');
      button.setAttribute('aria-label', name);
    }, 2000);
  }

  // without the lines that are hidden now
  function shownText(code) {
    if (!code.closest('[data-hiding]')) return code.textContent;
    var lines = Array.from(code.querySelectorAll('.line:not(.hidden-line)'), function (line) { return line.textContent; });
    return lines.join('').replace(/\n$/, '');
  }

  document.querySelectorAll('.code-block > [data-copy]').forEach(function (button) {
    button.hidden = false;
    button.addEventListener('click', function () {
      var code = button.parentElement.querySelector('pre > code');
      window.__opPage.copy(shownText(code), function () { showCopied(button); });
    });
  });

  // what scrolls can be moved by keys
  document.querySelectorAll('.toc-scroll, .mermaid, .math-display, .tree-box, .prose pre').forEach(function (box) {
    window.__opPage.look(function () {
      if (box.tabIndex < 0 && (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)) box.tabIndex = 0;
    });
  });

  // words of a picture that is not there give way to its sign where they would be cut
  document.querySelectorAll('.image-placeholder').forEach(function (box) {
    window.__opPage.look(function () {
      var isCut = box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
      return isCut && function () { box.classList.add('image-icon'); };
    });
  });

  // a block whose lines are cut gets a switch when a reader comes to it
  function offerWrap(event) {
    var block = event.target.closest && event.target.closest('.code-block');
    var pre = block && block.querySelector('pre');
    if (!pre || block.wrap || pre.scrollWidth <= pre.clientWidth) return;
    block.wrap = document.createElement('button');
    block.wrap.type = 'button';
    block.wrap.className = 'code-wrap';
    block.wrap.setAttribute('aria-label', words[3]);
    block.wrap.setAttribute('aria-pressed', 'false');
    block.wrap.addEventListener('click', function () {
      this.setAttribute('aria-pressed', String(block.toggleAttribute('data-wrap')));
    });
    block.appendChild(block.wrap);
  }
  document.addEventListener('pointerover', offerWrap);
  document.addEventListener('focusin', offerWrap);

  // a line with a number has an address: #code-2-15 is the 15th line of the second such block
  var numbered = Array.from(document.querySelectorAll('.code-block[data-lines]'));
  function linesOf(block) {
    return Array.from(block.querySelectorAll('.line'));
  }
  function showLine() {
    var named = /^#code-(\d+)-(\d+)$/.exec(location.hash);
    var line = named && numbered[named[1] - 1] && linesOf(numbered[named[1] - 1])[named[2] - 1];
    document.querySelectorAll('.line[data-linked]').forEach(function (other) { other.removeAttribute('data-linked'); });
    if (!line) return;
    line.setAttribute('data-linked', '');
    line.scrollIntoView({ block: 'nearest' });
  }
  numbered.forEach(function (block, at) {
    block.addEventListener('click', function (event) {
      var line = event.target.closest('.line');
      if (line && event.clientX - line.getBoundingClientRect().left < 40) location.hash = 'code-' + (at + 1) + '-' + (linesOf(block).indexOf(line) + 1);
    });
  });
  addEventListener('hashchange', showLine);
  showLine();

  document.querySelectorAll('.code-block[data-hides]').forEach(function (block) {
    var button = block.querySelector('.code-expand');
    if (!button) return;
    function hide(hidden) {
      block.toggleAttribute('data-hiding', hidden);
      button.setAttribute('aria-expanded', String(!hidden));
      button.textContent = hidden ? words[1] : words[2];
    }
    button.hidden = false;
    hide(true);
    button.addEventListener('click', function () { hide(!block.hasAttribute('data-hiding')); });
  });

  document.querySelectorAll('.code-block[data-expandable]').forEach(function (block) {
    var button = block.querySelector('.code-expand');
    if (!button || block.querySelector('pre').textContent.split('\n').length <= FOLDED_LINES) return;
    function fold(folded) {
      block.toggleAttribute('data-folded', folded);
      button.setAttribute('aria-expanded', String(!folded));
      button.textContent = folded ? words[1] : words[2];
    }
    button.hidden = false;
    fold(true);
    button.addEventListener('click', function () {
      fold(!block.hasAttribute('data-folded'));
      if (block.getBoundingClientRect().top < 0) block.scrollIntoView({ block: 'nearest' });
    });
    // find in page, a link or the Tab key may lead into the hidden part
    block.querySelector('pre').addEventListener('scroll', function () { if (this.scrollTop) { this.scrollTop = 0; fold(false); } });
  });
})();
