// Gives the page another present. `BEGINS` is in milliseconds since 1970, `IS_FROZEN` says whether time stands still there.
(() => {
  const Real = Date;
  const shift = BEGINS - Real.now();
  const now = IS_FROZEN ? () => BEGINS : () => Real.now() + shift;
  function Shifted(...parts) {
    if (!new.target) return new Real(now()).toString();
    return Reflect.construct(Real, parts.length > 0 ? parts : [now()], new.target);
  }
  Shifted.prototype = Real.prototype;
  Object.defineProperty(Shifted, "length", { value: 7 });
  Object.defineProperty(Shifted, "name", { value: "Date" });
  for (const [name, value] of [["now", now], ["parse", Real.parse], ["UTC", Real.UTC]]) {
    Object.defineProperty(Shifted, name, { value, writable: true, configurable: true });
  }
  Object.defineProperty(Real.prototype, "constructor", { value: Shifted, writable: true, configurable: true });
  globalThis.Date = Shifted;
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format").get;
  Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
    configurable: true,
    get() {
      const own = format.call(this);
      return (date) => own(date === undefined ? now() : date);
    },
  });
})();
