/* Search: the index and the dialog. Loaded when a reader first opens it; `src/search` writes the files that it reads and ranks the same way. */
(function (words, sheet) {
  "use strict";
  var root = document.documentElement;
  var base = root.dataset.root;

  /* Files: a script calls __op(name, text); two of 91 letters carry 13 bits of raw deflate. */
  var LETTERS = "!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
  var texts = {};
  var files = {};
  window.__op = (name, text) => {
    texts[name] = text;
  };
  function load(name, mark) {
    return (files[name] =
      files[name] ||
      new Promise((done, fail) => {
        var script = document.createElement("script");
        script.src = base + "_offprint/search/" + name + (mark ? "-" + mark : "") + ".js";
        script.onload = script.onerror = (event) => {
          var text = texts[name];
          script.remove();
          delete texts[name];
          if (event.type === "load" && text !== undefined) return done(inflate(fromText(text)));
          delete files[name];
          fail(new Error(name));
        };
        document.head.appendChild(script);
      }));
  }
  function fromText(text) {
    var out = new Uint8Array((text.length * 13) >> 4);
    var bits = 0;
    var count = 0;
    var size = 0;
    for (var at = 0; at + 1 < text.length; at += 2) {
      bits |= (digit[text.charCodeAt(at)] + 91 * digit[text.charCodeAt(at + 1)]) << count;
      for (count += 13; count > 7; count -= 8) {
        out[size++] = bits;
        bits >>>= 8;
      }
    }
    return out;
  }
  var digit = {};
  for (var letter = 0; letter < 91; letter++) digit[LETTERS.charCodeAt(letter)] = letter;

  /* RFC 1951 */
  function inflate(data) {
    var out = new Uint8Array(data.length * 4 + 64);
    var size = 0;
    var at = 0;
    var bits = 0;
    var count = 0;
    function take(number) {
      while (count < number) {
        if (at > data.length) throw new Error("short");
        bits |= data[at++] << count;
        count += 8;
      }
      var value = bits & ((1 << number) - 1);
      bits >>>= number;
      count -= number;
      return value;
    }
    function put(byte) {
      if (size === out.length) {
        var more = new Uint8Array(size * 2);
        more.set(out);
        out = more;
      }
      out[size++] = byte;
    }
    function code(lengths) {
      var counts = new Uint16Array(16);
      var places = new Uint16Array(17);
      var symbols = [];
      lengths.forEach((length) => {
        if (length) counts[length]++;
      });
      for (var length = 1; length < 16; length++) places[length + 1] = places[length] + counts[length];
      lengths.forEach((length, symbol) => {
        if (length) symbols[places[length]++] = symbol;
      });
      return () => {
        var value = 0;
        var first = 0;
        var index = 0;
        for (var length = 1; length < 16; length++) {
          value |= take(1);
          if (value - first < counts[length]) return symbols[index + value - first];
          index += counts[length];
          first = (first + counts[length]) << 1;
          value <<= 1;
        }
        throw new Error("code");
      };
    }
    function repeat(value, times) {
      return new Array(times).fill(value);
    }
    var last;
    do {
      last = take(1);
      var kind = take(2);
      if (!kind) {
        bits = count = 0;
        var length = data[at] | (data[at + 1] << 8);
        for (at += 4; length-- > 0; at++) put(data[at]);
        continue;
      }
      var symbol, distance;
      if (kind === 1) {
        symbol = code(repeat(8, 144).concat(repeat(9, 112), repeat(7, 24), repeat(8, 8)));
        distance = code(repeat(5, 30));
      } else {
        var literals = take(5) + 257;
        var distances = take(5) + 1;
        var lengths = repeat(0, 19);
        for (var n = take(4) + 4, i = 0; i < n; i++) lengths["\x10\x11\x12\0\b\x07\t\x06\n\x05\v\x04\f\x03\r\x02\x0e\x01\x0f".charCodeAt(i)] = take(3);
        var next = code(lengths);
        for (lengths = []; lengths.length < literals + distances; ) {
          var value = next();
          if (value < 16) lengths.push(value);
          else if (value === 16) lengths = lengths.concat(repeat(lengths[lengths.length - 1], take(2) + 3));
          else lengths = lengths.concat(repeat(0, value === 17 ? take(3) + 3 : take(7) + 11));
        }
        symbol = code(lengths.slice(0, literals));
        distance = code(lengths.slice(literals));
      }
      for (var now = symbol(); now !== 256; now = symbol()) {
        if (now < 256) {
          put(now);
          continue;
        }
        var step = now - 257;
        var extra = step < 8 || step === 28 ? 0 : (step >> 2) - 1;
        var run = step < 8 ? step + 3 : step === 28 ? 258 : ((4 + (step & 3)) << extra) + 3;
        run += take(extra);
        step = distance();
        extra = step < 4 ? 0 : (step >> 1) - 1;
        var back = (step < 4 ? step : (2 + (step & 1)) << extra) + 1;
        back += take(extra);
        while (run--) put(out[size - back]);
      }
    } while (!last);
    return out.subarray(0, size);
  }

  var decoder = new TextDecoder();
  function input(bytes) {
    var at = 0;
    var word = [];
    return {
      byte: () => {
        return bytes[at++];
      },
      number: () => {
        var value = 0;
        for (var shift = 0; ; shift += 7) {
          var byte = bytes[at++];
          value |= (byte & 127) << shift;
          if (!(byte > 127)) return value >>> 0;
        }
      },
      mark: () => {
        var out = "";
        for (var end = at + 4; at < end; at++) out += (bytes[at] + 256).toString(16).slice(1);
        return out;
      },
      word: function () {
        var shared = this.number();
        var more = this.number();
        word = word.slice(0, shared).concat(Array.from(bytes.subarray(at, (at += more))));
        return decoder.decode(new Uint8Array(word));
      },
      rest: (length) => {
        return bytes.subarray(at, (at += length === undefined ? bytes.length : length));
      },
      forget: () => {
        word = [];
      },
    };
  }
  function times(count, make) {
    var out = [];
    while (count-- > 0) out.push(make());
    return out;
  }

  /* The start of the index: how many pages, where the other files begin, boosts, areas, frequent words. */
  var head;
  function start(name) {
    return load(name).then((bytes) => {
      var from = input(bytes);
      if (from.byte() !== 4) throw new Error("version");
      var made = { pages: from.number(), share: from.number(), boosts: {}, frequent: new Map() };
      made.texts = times(from.number(), from.mark);
      made.words = times(from.number(), () => {
        return [from.word(), from.mark()];
      });
      var page = 0;
      times(from.number(), () => {
        page += from.number();
        made.boosts[page] = from.number() / 100;
      });
      function label() {
        return decoder.decode(from.rest(from.number()));
      }
      made.versions = times(from.number(), label);
      made.sections = times(from.number(), label);
      made.version = from.number();
      made.area = [];
      made.areas = [];
      if (made.versions.length || made.sections.length) {
        made.areas = times(from.number(), () => {
          return { section: from.number() - 1, version: from.number() - 1, shown: times(from.number(), from.number) };
        });
        times(from.number(), () => {
          var area = from.number();
          times(from.number(), () => {
            made.area.push(area);
          });
        });
      }
      from.forget();
      times(from.number(), () => {
        made.frequent.set(from.word(), from.number());
      });
      if (from.byte()) made.single = [from.rest(from.number()), from.rest()];
      made.name = name;
      head = made;
    });
  }
  var shards = {};
  function shard(at) {
    var whole = head.single ? Promise.resolve(head.single[0]) : load(head.name + "-w" + at, head.words[at][1]);
    return whole.then((bytes) => {
      if (shards[at]) return;
      var from = input(bytes);
      var place = 0;
      var all = times(from.number(), () => {
        var term = { word: from.word(), pages: from.number(), from: place };
        place += from.number();
        return term;
      });
      var rest = from.rest();
      shards[at] = new Map();
      all.forEach((term) => {
        term.bytes = rest.subarray(term.from);
        shards[at].set(term.word, term);
      });
    });
  }
  function postings(term, each) {
    var from = input(term.bytes);
    var page = 0;
    var pages = times(term.pages, () => {
      return (page += from.number());
    });
    var weights = times(term.pages, from.byte);
    pages.forEach((page, at) => {
      var section = weights[at] & 15;
      each(page, weights[at] >> 4, section === 15 ? from.number() : section);
    });
  }
  var pageTexts = {};
  function shown(page) {
    var at = Math.floor(page / head.share);
    var whole = head.single ? Promise.resolve(head.single[1]) : load(head.name + "-p" + at, head.texts[at]);
    return whole.then((bytes) => {
      pageTexts[at] = pageTexts[at] || decoder.decode(bytes).split("\x02");
      var fields = pageTexts[at][page % head.share].split("\x01");
      var out = { page: page, title: fields[0], url: fields[1], place: fields[2], sections: [] };
      for (var n = 3; n < fields.length; n += 3) out.sections.push(fields.slice(n, n + 3));
      return out;
    });
  }

  /* Words, folded as the index folds them. */
  var RUN =
    /[\p{Alphabetic}\p{N}\p{M}]+|[\u231a\u231b\u23e9-\u23f3\u2600-\u27bf\u2b50\u2b55\u{1f000}-\u{1f3fa}\u{1f400}-\u{1faff}]/gu;
  var MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\ufe00-\ufe0f]/g;
  var PAIRED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
  var OWN = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ı: "i", ς: "σ" };
  function fold(text) {
    if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
    var bare = text.toLowerCase().normalize("NFKD").replace(MARKS, "").normalize("NFC");
    return (bare.replace(/[ßæœøđðłıς]/g, (c) => {
      return OWN[c];
    }).match(RUN) || []).join("");
  }
  /* Every word of a text: each(folded, from, to). With `parts`, names in camel case also give their parts, and with
     that or `joined`, words that a sign joins are one word more: invalid_grant. */
  function wordsOf(text, parts, each, joined) {
    var before = null;
    for (var found of text.matchAll(RUN)) {
      var run = found[0];
      var from = found.index;
      var to = from + run.length;
      var folded = fold(run);
      var first = before;
      before = null;
      if (!folded) continue;
      if (run.search(PAIRED) < 0) {
        each(folded, from, to);
        if (parts && /[a-z]/.test(run) && /.[A-Z]/.test(run)) {
          run.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z]([a-rt-z]|s[a-z]))/g, "$1$2 ").split(" ").forEach((part, n, all) => {
            if (part.length > 1) each(fold(part), from, to);
            if (n) each(fold(all.slice(n).join("")), from, to);
          });
        }
        if (parts && /^\u0627\u0644.../.test(folded)) each(folded.slice(2), from, to);
        if ((parts || joined) && /^[\0-\x7f]{1,40}$/.test(run)) {
          if (first && (first[0][1] || folded[1]) && !(/\d/.test(first[0]) && /\d/.test(folded))) each(first[0] + "_" + folded, first[1], to);
          if (/[_.-]/.test(text[to] || "") && /[a-z0-9]/i.test(text[to + 1] || "")) before = [folded, from];
        }
      } else if (!parts) pairs(folded, each);
      else {
        var chars = Array.from(run);
        for (var n = 0; n + 1 < chars.length; n++) {
          each(fold(chars[n] + chars[n + 1]), from, from + chars[n].length + chars[n + 1].length);
          from += chars[n].length;
        }
        run.split(PAIRED).forEach((part) => {
          if (part) each(fold(part), found.index + run.indexOf(part), found.index + run.indexOf(part) + part.length);
        });
      }
    }
  }
  function pairs(folded, each) {
    var at = 0;
    folded.replace(PAIRED, (segment, place) => {
      if (place > at) each(folded.slice(at, place));
      at = place + segment.length;
      var chars = Array.from(segment);
      if (chars.length === 1) each(segment);
      for (var n = 0; n + 1 < chars.length; n++) each(chars[n] + chars[n + 1]);
      return "";
    });
    if (at < folded.length) each(folded.slice(at));
  }

  /* What a word may stand for: itself, its other number, longer words, words one letter off. */
  function place(word) {
    var at = head.words.findIndex((entry) => {
      return entry[0] > word;
    });
    return Math.max(0, (at < 0 ? head.words.length : at) - 1);
  }
  function variants(word) {
    function stem(ending) {
      var length = word.length - ending.length;
      return word.endsWith(ending) && new TextEncoder().encode(word.slice(0, length)).length > 2 && word.slice(0, length);
    }
    if (word.endsWith("ss")) return [word + "es"];
    if (stem("ies")) return [stem("ies") + "y"];
    if (stem("s")) return [stem("s"), stem("es")].filter(Boolean);
    if (!/^[\0-\x7f]{3,}$/.test(word)) return [];
    return [word + "s", word.endsWith("y") ? word.slice(0, -1) + "ies" : word + "es"];
  }
  function oneOff(a, b) {
    var same = 0;
    var ends = 0;
    while (same < a.length && same < b.length && a[same] === b[same]) same++;
    var left = a.length - same;
    var right = b.length - same;
    while (ends < left && ends < right && a[a.length - 1 - ends] === b[b.length - 1 - ends]) ends++;
    left -= ends;
    right -= ends;
    return (left < 2 && right < 2 && left + right > 0) || (left === 2 && right === 2 && a[same] === b[same + 1] && a[same + 1] === b[same]);
  }
  function ranked(entries, most) {
    return entries
      .sort((a, b) => {
        return b[1] - a[1] || (a[0] < b[0] ? -1 : 1);
      })
      .slice(0, most);
  }
  function isAlike(known, isJoined) {
    return !known.includes("=") && known.includes("_") === isJoined;
  }
  function expand(asked) {
    var word = asked.word;
    var isOpen = asked.open;
    var isJoined = word.includes("_");
    var first = place(word);
    var last = isOpen ? place(word + "\uffff") : first;
    var isComplete = last <= first + 1;
    var loading = [];
    for (var at = first; at <= (isComplete ? last : first); at++) loading.push(at);
    return Promise.all(loading.map(shard)).then(() => {
      var mine = new Map();
      var chosen = [];
      var seen = {};
      var length = Array.from(word).length;
      function choose(found, factor) {
        if (!Object.prototype.hasOwnProperty.call(seen, found)) chosen.push({ word: found, factor: factor });
        seen[found] = 1;
      }
      loading.forEach((at) => {
        shards[at].forEach((term, found) => {
          mine.set(found, term.pages);
        });
      });
      if (mine.has(word)) choose(word, 1);
      (asked.exact ? [] : variants(word)).forEach((variant) => {
        if (mine.has(variant) || head.frequent.has(variant)) choose(variant, 0.9);
      });
      if (isOpen) {
        var longer = Array.from(isComplete ? mine : head.frequent).filter((entry) => {
          return entry[0].length > word.length && entry[0].startsWith(word) && isAlike(entry[0], isJoined);
        });
        ranked(longer, isComplete ? 24 : 8).forEach((entry) => {
          choose(entry[0], (0.55 + 0.35 * (length / Array.from(entry[0]).length)) * (mine.has(word) ? 0.7 : 1));
        });
      }
      if (!chosen.length && !asked.exact && !isJoined && length >= 5) {
        var typed = Array.from(word);
        var near = Array.from(new Map(Array.from(head.frequent).concat(Array.from(mine)))).filter((entry) => {
          if (!isAlike(entry[0], false)) return false;
          if (Math.abs(entry[0].length - word.length) > 1 && !(isOpen && entry[0].length > word.length)) return false;
          var known = Array.from(entry[0]).slice(0, length + 2);
          if (!isOpen) return oneOff(typed, known);
          for (var size = length - 1; size <= length + 1; size++) {
            if (known.length >= size && oneOff(typed, known.slice(0, size))) return true;
          }
          return false;
        });
        ranked(near, 6).forEach((entry) => {
          choose(entry[0], 0.5);
        });
      }
      /* those in too many further files are left out */
      var files = {};
      var more = 0;
      loading.forEach((at) => {
        files[at] = 1;
      });
      chosen = chosen.filter((expansion) => {
        expansion.at = place(expansion.word);
        if (files[expansion.at]) return true;
        if (more === 3) return false;
        more++;
        return (files[expansion.at] = 1);
      });
      return Promise.all(Object.keys(files).map(shard)).then(() => {
        return chosen.filter((expansion) => {
          expansion.term = shards[expansion.at].get(expansion.word);
          return expansion.term;
        });
      });
    });
  }

  /* The pages of a version and section; -1 for all. */
  function within(version, section) {
    var areas = head.areas.map((area) => {
      return (version < 0 || !area.shown.length || area.shown.indexOf(version) >= 0) && (section < 0 || area.section === section);
    });
    var has = (page) => {
      return !areas.length || areas[head.area[page]];
    };
    return { has: has, count: areas.length ? head.area.filter((_, page) => has(page)).length : head.pages };
  }

  /* Pages for a question, best first: those with all words, else those with some. */
  var SMALL = " a an and are as at be by can do does for from how i in is it its my of on or that the this to was we what when where which with you your ";
  var WORTH = [0.25];
  while (WORTH.length < 16) WORTH.push(WORTH[WORTH.length - 1] * 1.28);
  function isSmall(word) {
    return SMALL.includes(" " + word + " ");
  }
  /* A question as its words, what stands between quotes, and all of it as a name. */
  function parse(question) {
    var out = { words: [], phrases: [], names: [] };
    var whole = [];
    var parts = question.split(/["\u201c-\u201f]/);
    parts.forEach((part, at) => {
      // a phrase that is still being typed has no end
      var exact = at % 2 === 1 && at + 1 < parts.length;
      var phrase = [];
      wordsOf(
        part,
        false,
        (word) => {
          if (!word.includes("_")) {
            if (Array.from(word).length > 40) return;
            phrase.push(word);
            whole.push(word);
          }
          if (out.words.length < 12 && out.words.every((known) => known.word !== word)) out.words.push({ word: word, exact: exact });
        },
        true,
      );
      if (exact && phrase.length > 1) out.phrases.push(phrase);
    });
    if (out.words.length && /[\p{Alphabetic}\p{N}\p{M}]$/u.test(question)) {
      var last = out.words[out.words.length - 1];
      var end = last.word.split("_").pop();
      out.words.forEach((word) => {
        word.open = word === last || word.word === end;
      });
    }
    var large = whole.filter((word) => !isSmall(word));
    var said = large.length ? large : whole;
    out.names = (large.length === 2 ? [said, said.slice().reverse()] : [said])
      .map((words) => words.join("") + "=")
      .filter((name) => whole.length && whole.length <= 6 && new TextEncoder().encode(name).length <= 64);
    return out;
  }
  /* The pages that have one of some names, in singular or plural, with the weight of each. */
  function named(names) {
    var out = new Map();
    return Promise.all(names.map((name) => shard(place(name)))).then(() => {
      names.forEach((name) => {
        var known = shards[place(name)];
        [name].concat(variants(name.slice(0, -1)).map((variant) => variant + "=")).forEach((name) => {
          var term = known.get(name);
          if (!term) return;
          postings(term, (page, weight) => {
            out.set(page, Math.max(weight, out.get(page) || 0));
          });
        });
      });
      return out;
    });
  }
  /* The pages that say all phrases, of those that rank first; all of them if none does, as far as results show texts. */
  function keepPhrases(found, phrases) {
    if (!phrases.length) return found;
    function says(text, phrase) {
      var all = [];
      wordsOf(text, false, (word) => {
        all.push(word);
      });
      return all.some((_, at) => phrase.every((word, n) => all[at + n] === word));
    }
    return Promise.all(
      found.slice(0, 24).map((hit) => {
        return shown(hit[0]).then((it) => {
          var all = [it.title].concat(it.sections.flatMap((section) => section.slice(1)));
          return phrases.every((phrase) => all.some((text) => says(text, phrase))) && hit;
        });
      }),
    ).then((kept) => {
      kept = kept.filter(Boolean);
      return kept.length ? kept : found;
    });
  }
  function answer(question, among) {
    var parsed = parse(question);
    var names;
    var anyLarge = !parsed.words.every((asked) => isSmall(asked.word));
    var asking = parsed.words.map((asked) => {
        return expand(asked).then((expansions) => {
          var pages = new Map();
          var said = new Set();
          expansions.forEach((expansion) => {
            said.add(expansion.word);
            postings(expansion.term, (page, weight, section) => {
              if (!among.has(page)) return;
              var worth = expansion.factor * WORTH[weight];
              var best = pages.get(page);
              if (!best || worth > best[0]) pages.set(page, [worth, section]);
            });
          });
          var isCommon = among.count > 20 && pages.size * 2 > among.count && parsed.words.length > 1;
          // joined words may stand apart everywhere
          var optional = asked.word.includes("_") ? !pages.size : !asked.exact && ((anyLarge && isSmall(asked.word)) || isCommon);
          return { pages: pages, said: said, optional: optional };
        });
      });
    return named(parsed.names)
      .then((found) => {
        names = found;
        return Promise.all(asking);
      })
      .then((groups) => {
      function isOptional(group) {
        return group.optional;
      }
      if (groups.every(isOptional)) {
        groups.forEach((group) => {
          group.optional = false;
        });
      }
      var required = groups.filter((group) => {
        return !group.optional;
      });
      var scores = new Map();
      function rarityOf(count) {
        return Math.log(1 + Math.max(among.count - count + 0.5, 0) / (count + 0.5));
      }
      groups.forEach((group) => {
        var rarity = rarityOf(group.pages.size);
        group.pages.forEach((best, page) => {
          var score = scores.get(page);
          if (!score) scores.set(page, (score = [0, 0]));
          score[0] += rarity * best[0];
          if (!group.optional) score[1]++;
        });
      });
      var most = required.length;
      names.forEach((name, page) => {
        var score = scores.get(page);
        /* its words may be spelled otherwise */
        if (among.has(page) && (!score || score[1] < most)) scores.set(page, [rarityOf(names.size) * WORTH[name], most]);
      });
      /* a page without some of the words has to score half of the best page with all */
      var least = 0;
      var found = [];
      scores.forEach((score, page) => {
        var share = score[1] / Math.max(most, 1);
        var sections = required.map((group) => {
          var best = group.pages.get(page);
          return best ? best[1] : -1;
        });
        var isTogether = sections.length > 1 && sections[0] >= 0 && sections.every((section) => {
          return section === sections[0];
        });
        var sum = score[0] * share * share * (head.boosts[page] === undefined ? 1 : head.boosts[page]) * (isTogether ? 1.2 : 1);
        var isWhole = score[1] === most;
        if (isWhole) least = Math.max(least, sum * 0.5);
        /* the question is a name of the page */
        var name = names.get(page) || 0;
        sum *= 1 + (name * name) / 160;
        if (score[1] || !most) found.push([page, sum, isWhole]);
      });
      found = found.filter((hit) => {
        return hit[2] || hit[1] >= least;
      });
      found.sort((a, b) => {
        return b[1] - a[1] || a[0] - b[0];
      });
      return Promise.resolve(keepPhrases(found, parsed.phrases)).then((found) => {
        return { groups: groups, found: found };
      });
    });
  }

  /* A page as a result: the section that answers best, and the part of its text with most of the words. */
  function marks(text, groups) {
    var out = [];
    wordsOf(text, true, (word, from, to) => {
      var group = groups.findIndex((group) => {
        return group.said.has(word);
      });
      var last = out[out.length - 1];
      if (group < 0 || word.includes("_")) return;
      if (last && from < last[1]) last[1] = Math.max(to, last[1]);
      else out.push([from, to, group]);
    });
    return out;
  }
  function says(text, groups) {
    var out = groups.map(() => {
      return 0;
    });
    wordsOf(text, true, (word) => {
      groups.forEach((group, at) => {
        if (group.said.has(word)) out[at] = 1;
      });
    });
    return out;
  }
  function result(page, groups) {
    return shown(page).then((it) => {
      var titled = says(it.title, groups);
      var best = -1;
      it.sections.forEach((section, at) => {
        var heading = says(section[1], groups);
        var text = says(section[2], groups);
        var worth = 0;
        groups.forEach((group, n) => {
          var found = group.pages.get(page);
          worth += (at ? 0 : 3 * titled[n]) + (found && found[1] === at ? 1.5 : 0) + 3 * heading[n] + text[n];
        });
        if (worth > best) {
          best = worth;
          it.best = section;
        }
      });
      return it;
    });
  }
  function marked(into, text, found) {
    var at = 0;
    found.forEach((mark) => {
      into.appendChild(document.createTextNode(text.slice(at, mark[0])));
      element("mark", "", into).textContent = text.slice(mark[0], (at = mark[1]));
    });
    into.appendChild(document.createTextNode(text.slice(at)));
    return into;
  }
  function snippet(into, text, groups) {
    var found = marks(text, groups);
    var best = [0, 0];
    found.forEach((mark) => {
      var kinds = new Set();
      found.forEach((other) => {
        if (other[0] >= mark[0] && other[0] < mark[0] + 130) kinds.add(other[2]);
      });
      if (kinds.size > best[0]) best = [kinds.size, mark[0]];
    });
    var from = Math.max(0, best[1] - 40);
    if (from) from = Math.min(best[1], text.indexOf(" ", from) + 1 || from);
    var to = Math.min(text.length, from + 170);
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), from + 100);
    if (/[\udc00-\udfff]/.test(text[from] || "")) from--;
    marked(
      into,
      (from ? "… " : "") + text.slice(from, to) + (to < text.length ? " …" : ""),
      found
        .filter((mark) => {
          return mark[0] >= from && mark[1] <= to;
        })
        .map((mark) => {
          var shift = (from ? 2 : 0) - from;
          return [mark[0] + shift, mark[1] + shift];
        }),
    );
  }

  /* The dialog */
  var dialog, field, filters, list, note, rest, count, status, foot, opener, timer;
  var version = -1;
  var section = -1;
  var turn = 0;
  var current = null;
  var follow = false;
  function element(tag, className, into, text) {
    var made = document.createElement(tag);
    if (className) made.className = className;
    if (text) made.textContent = text;
    if (into) into.appendChild(made);
    return made;
  }
  function icon(path, into) {
    var space = "http://www.w3.org/2000/svg";
    var svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("class", "ui-icon");
    svg.appendChild(document.createElementNS(space, "path")).setAttribute("d", path);
    return into.appendChild(svg);
  }
  function build() {
    dialog = element("div", "op-search");
    dialog.hidden = true;
    [
      ["role", "dialog"],
      ["aria-modal", "true"],
      ["aria-label", words.search],
      ["data-search", ""],
      ["data-search-state", "idle"],
    ].forEach((pair) => {
      dialog.setAttribute(pair[0], pair[1]);
    });
    var box = element("div", "search-box", dialog);
    var row = element("div", "search-row", box);
    icon("M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4", row);
    field = element("input", "search-field", row);
    field.type = "search";
    field.placeholder = words.prompt;
    field.autocomplete = "off";
    field.spellcheck = false;
    field.setAttribute("autocapitalize", "off");
    field.setAttribute("enterkeyhint", "go");
    field.setAttribute("aria-label", words.search);
    var close = element("button", "search-close", row);
    close.type = "button";
    element("kbd", "", close, "esc");
    element("span", "visually-hidden", close, words.close);
    filters = element("div", "search-filters", box);
    var body = element("div", "search-body", box);
    list = element("ul", "search-results", body);
    note = element("div", "search-note", body);
    rest = element("button", "search-more", body);
    rest.type = "button";
    rest.hidden = true;
    foot = element("div", "search-foot", box);
    [["↑ ↓", words.move], ["↵", words.open], ["esc", words.close]].forEach((pair) => {
      element("kbd", "", element("span", "", foot), pair[0]).after(" " + pair[1]);
    });
    foot.setAttribute("aria-hidden", "true");
    count = element("span", "search-count", foot);
    status = element("div", "visually-hidden", dialog);
    status.setAttribute("role", "status");
    document.body.appendChild(dialog);

    field.addEventListener("input", () => {
      clearTimeout(timer);
      follow = false;
      // while somebody types fast, only the last question is asked
      timer = setTimeout(ask, current ? 60 : 10);
      if (!field.value.trim()) ask();
      else state("loading");
    });
    close.addEventListener("click", hide);
    dialog.addEventListener("mousedown", (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      hide();
    });
    dialog.addEventListener("keydown", keys);
    document.addEventListener("focusin", (event) => {
      if (!dialog.hidden && !dialog.contains(event.target)) field.focus();
    });
    body.addEventListener("scroll", () => {
      if (current && current.all && body.scrollTop + body.clientHeight > body.scrollHeight - 160) more();
    });
    rest.addEventListener("click", () => {
      if (current.found.length) return more();
      version = section = -1;
      narrow();
      ask();
      field.focus();
    });
    list.addEventListener("click", (event) => {
      var link = event.target.closest("a");
      if (!link) return;
      remember(link);
      // the page that opens marks the words
      var question = field.value.trim();
      if (question && window.Highlight && link.pathname === location.pathname) mark(question);
      else if (question && window.Highlight) link.search = "?highlight=" + encodeURIComponent(question);
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) hide(true);
    });
  }
  /* What readers see before they ask: results that they have opened, and where the sidebar begins. */
  var RECENT = "offprint-search-recent";
  var MOST_RECENT = 5;
  function kept() {
    try {
      return JSON.parse(localStorage.getItem(RECENT) || "[]");
    } catch {
      return [];
    }
  }
  function siteRoot() {
    return new URL(base || ".", location.href.split(/[?#]/)[0]).href;
  }
  function remember(link) {
    var title = link.querySelector(".search-title > span");
    var site = siteRoot();
    var url = link.href.replace(/\?[^#]*/, "").slice(site.length);
    var entry = { root: site, url: url, title: title ? title.textContent : link.textContent };
    try {
      var others = kept().filter((known) => known.root !== entry.root || known.url !== entry.url);
      localStorage.setItem(RECENT, JSON.stringify([entry].concat(others).slice(0, 4 * MOST_RECENT)));
    } catch {
      // nothing is kept there
    }
  }
  function suggestions() {
    var site = siteRoot();
    var opened = kept()
      .filter((entry) => entry.root === site)
      .slice(0, MOST_RECENT);
    var links = Array.from(document.querySelectorAll(".op-tree a[href]"));
    var first = links
      .filter((link) => link.href.startsWith(site) && link.hash === "" && link.pathname !== location.pathname)
      .filter((link) => !opened.some((entry) => site + entry.url === link.href))
      .slice(0, MOST_RECENT)
      .map((link) => ({ href: link.href, title: link.textContent.trim() }));
    var parts = [
      [words.recent, opened.map((entry) => ({ href: site + entry.url, title: entry.title }))],
      [words.suggested, first],
    ];
    list.replaceChildren();
    parts.forEach((part) => {
      if (!part[1].length) return;
      element("li", "search-part", list, part[0]);
      part[1].forEach((entry) => {
        var link = element("a", "", element("li", "", list));
        link.href = entry.href;
        icon("M6 3h8l5 5v13H6zM14 3v5h5", link);
        element("span", "", element("span", "search-title", link), entry.title);
      });
    });
    return list.childNodes.length > 0;
  }
  /* The words of a question, in the content of the page that is open, until Escape. */
  function mark(question) {
    var asked = parse(question).words.map((asked) => asked.word);
    var large = asked.filter((word) => !isSmall(word));
    var all = new Set((large.length ? large : asked).flatMap((word) => [word].concat(variants(word))));
    var content = document.querySelector("[data-content]");
    if (!content || !all.size) return;
    var found = new Highlight();
    var texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() && found.size < MOST_MARKS) {
      wordsOf(texts.currentNode.data, true, (word, from, to) => {
        if (!all.has(word)) return;
        var range = new Range();
        range.setStart(texts.currentNode, from);
        range.setEnd(texts.currentNode, to);
        found.add(range);
      });
    }
    CSS.highlights.set("op-search", found);
    try {
      // who copies the address copies that of the page
      if (location.search.startsWith("?highlight=")) history.replaceState(history.state, "", location.pathname + location.hash);
    } catch {
      // some browsers keep the addresses of files
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") CSS.highlights.delete("op-search");
    });
  }
  var MOST_MARKS = 1000;

  /* What the reader is in, and all else: only where there is something to choose. */
  function narrow() {
    filters.replaceChildren();
    choice(words.version, words.versions, head.versions, version, (chosen) => {
      version = chosen;
    });
    choice(words.section, words.sections, head.sections, section, (chosen) => {
      section = chosen;
    });
  }
  function choice(name, all, names, chosen, take) {
    if (!names.length) return;
    var box = element("span", "search-filter", filters);
    var select = element("select", "", box);
    select.setAttribute("aria-label", name);
    [all].concat(names).forEach((label) => {
      element("option", "", select, label);
    });
    select.selectedIndex = chosen + 1;
    box.toggleAttribute("data-narrow", chosen >= 0);
    icon("m7 10 5 5 5-5", box);
    select.addEventListener("change", () => {
      take(select.selectedIndex - 1);
      box.toggleAttribute("data-narrow", select.selectedIndex > 0);
      ask();
    });
  }
  function links() {
    return Array.from(list.parentNode.querySelectorAll("a, button:not([hidden])"));
  }
  function keys(event) {
    var key = event.key;
    var all = links();
    var at = all.indexOf(document.activeElement);
    if (event.isComposing) return;
    if (key === "Escape") hide();
    else if (key === "ArrowDown" || key === "ArrowUp") {
      if (!all.length || event.target.tagName === "SELECT") return;
      // from the field, which opens the first result, down leads to the second
      var first = dialog.dataset.searchState === "ready" && all.length > 1 ? 1 : 0;
      var to = key === "ArrowDown" ? (at < 0 ? first : at + 1) : at < 0 ? all.length - 1 : at - 1;
      if (to === all.length && current && current.all) more();
      var next = to < 0 ? field : all[to] || (current && current.busy ? all[at] : field);
      next.focus();
      if (next !== field) next.scrollIntoView({ block: "nearest" });
    } else if (key === "Enter" && document.activeElement === field) {
      if (dialog.dataset.searchState === "ready" && all[0]) all[0].click();
      else follow = dialog.dataset.searchState === "loading";
    } else if (key === "Tab") {
      var stops = Array.from(dialog.querySelectorAll("input, select, button:not([hidden]), a"));
      var edge = event.shiftKey ? 0 : stops.length - 1;
      if (document.activeElement !== stops[edge]) return;
      stops[event.shiftKey ? stops.length - 1 : 0].focus();
    } else {
      // who types on a result goes on with the question
      if (at >= 0 && (key.length === 1 || key === "Backspace") && !event.ctrlKey && !event.metaKey && !event.altKey) field.focus();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
  function state(name) {
    dialog.setAttribute("data-search-state", name);
  }
  function say(title, text) {
    note.replaceChildren();
    rest.hidden = true;
    if (title) element("p", "search-note-title", note, title);
    if (text) element("p", "", note, text);
    status.textContent = title || "";
    count.textContent = "";
  }
  function ask() {
    var question = field.value;
    var mine = ++turn;
    clearTimeout(timer);
    if (!question.trim()) {
      current = null;
      say("", suggestions() ? "" : words.idle);
      return state("idle");
    }
    state("loading");
    begin()
      .then(() => {
        return answer(question, within(version, section));
      })
      .then((answered) => {
        if (mine !== turn) return;
        // nothing here: how much there is elsewhere
        var narrowed = !answered.found.length && (version >= 0 || section >= 0);
        return narrowed ? answer(question, within(-1, -1)).then((other) => [answered, other.found.length]) : [answered, 0];
      })
      .then((both) => {
        if (mine !== turn) return;
        var answered = both[0];
        // each result of a large site is another file
        var next = head.pages > 2000 ? 6 : 10;
        return results(answered.found.slice(0, next), answered.groups).then((made) => {
          if (mine !== turn) return;
          var all = answered.found.length;
          current = { groups: answered.groups, found: answered.found, next: next };
          list.replaceChildren.apply(list, made);
          list.parentNode.scrollTop = 0;
          if (all) say("");
          else say(words.none.replace("{}", "“" + question.trim() + "”"), words.advice);
          if (all) status.textContent = count.textContent = (all === 1 ? words.one : words.count).replace("{}", all);
          if (all > next || both[1]) {
            rest.textContent = all ? words.all.replace("{}", all) : words.everywhere + " (" + both[1] + ")";
            rest.hidden = false;
          }
          state(all ? "ready" : "empty");
          if (all && follow) links()[0].click();
        });
      })
      .catch(() => {
        if (mine !== turn) return;
        list.replaceChildren();
        say(words.failed, words.retry);
        state("error");
      });
  }
  function results(found, groups) {
    return Promise.all(
      found.map((entry) => {
        return result(entry[0], groups);
      }),
    ).then((pages) => {
      return pages.map((page) => {
        return item(page, groups);
      });
    });
  }
  function item(page, groups) {
    var section = page.best || ["", "", ""];
    var made = element("li");
    made.setAttribute("data-search-result", "");
    var link = element("a", "", made);
    link.href = base + page.url + (section[0] ? "#" + section[0] : "");
    icon(section[0] ? "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16" : "M6 3h8l5 5v13H6zM14 3v5h5", link);
    var body = element("span", "search-result", link);
    var area = head.areas[head.area[page.page]];
    var other = area && area.version !== version ? head.versions[area.version] : "";
    if (page.place || other) {
      var place = element("span", "search-place", body);
      if (other) element("span", "search-version", place, other);
      place.append(page.place);
    }
    var title = element("span", "search-title", body);
    marked(element("span", "", title), page.title, marks(page.title, groups));
    if (section[1]) marked(element("span", "search-heading", title), section[1], marks(section[1], groups));
    // descriptions keep the marks of their Markdown
    if (section[2]) snippet(element("span", "search-text", body), section[2].replace(/\x60([^\x60]+)\x60/g, "$1"), groups);
    return made;
  }
  /* The rest, once the reader asks for it: some now, others when the reader comes near the end. */
  function more() {
    var now = current;
    if (!now || now.busy || now.next >= now.found.length) return;
    now.busy = true;
    var step = head.pages > 2000 ? 12 : 40;
    results(now.found.slice(now.next, now.next + step), now.groups).then(
      (made) => {
        if (now !== current) return;
        var wasLast = links().pop() === document.activeElement;
        now.next += step;
        now.busy = false;
        now.all = true;
        made.forEach((result) => {
          list.appendChild(result);
        });
        if (wasLast && made[0]) made[0].firstChild.focus();
        rest.hidden = true;
      },
      () => {
        now.busy = false;
      },
    );
  }
  function begin() {
    if (head) return Promise.resolve();
    return start(opener.dataset.index).then(() => {
      // on a page of no version, readers are in the default one
      if (head.versions.length) version = +(opener.dataset.version || head.version);
      narrow();
    });
  }
  function hide(keepFocus) {
    dialog.hidden = true;
    root.removeAttribute("data-searching");
    if (keepFocus === true) return;
    var back = opener.before && document.contains(opener.before) && opener.before !== document.body ? opener.before : opener;
    back.focus({ preventScroll: true });
  }
  function show(button) {
    var early = button.early;
    button.early = null;
    if (!dialog.hidden) return field.select();
    opener = button;
    opener.before = document.activeElement;
    dialog.hidden = false;
    // the page stays where it is: a scroll bar that takes room keeps it
    root.setAttribute("data-searching", window.innerWidth > root.clientWidth ? "bar" : "");
    field.focus();
    field.select();
    if (early) {
      field.value = early;
      field.dispatchEvent(new Event("input"));
    }
    if (!head) {
      begin().catch(() => {
        if (field.value) return;
        say(words.failed, words.retry);
        state("error");
      });
    }
    if (!field.value) ask();
  }
  var styled = new Promise((done) => {
    var link = element("link");
    link.rel = "stylesheet";
    link.href = base + sheet;
    link.onload = link.onerror = done;
    document.head.appendChild(link);
  });
  window.__opSearch = (button) => {
    styled.then(() => {
      if (!dialog) build();
      show(button);
    });
  };
  window.__opSearch.mark = mark;
})(__WORDS__, __SHEET__);
