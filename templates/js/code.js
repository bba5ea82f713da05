// Code blocks: copy buttons, folding of expandable blocks. Both buttons are hidden until here.
(function () {
  'use strict';
  var FOLDED_LINES = 16;
  var words = (document.documentElement.dataset.words || 'Copied|Show all|Show less').split('|');

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
