//! How much looking is allowed.

/// Steps that relating may still take. What it finds never depends on time, only on this.
#[derive(Debug)]
pub(crate) struct Work {
    left: u64,
    spent: u64,
    is_cut: bool,
}

impl Work {
    pub(crate) const fn new(steps: u64) -> Self {
        Self { left: steps, spent: 0, is_cut: false }
    }

    /// Takes so many steps; `false` when there are not as many left, and then none is taken.
    pub(crate) fn spend(&mut self, steps: u64) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => {
                (self.left, self.spent) = (left, self.spent + steps);
                true
            }
            None => {
                self.is_cut = true;
                false
            }
        }
    }

    /// Notes that something was not looked for because it would take too long.
    pub(crate) const fn cut(&mut self) {
        self.is_cut = true;
    }

    pub(crate) const fn spent(&self) -> u64 {
        self.spent
    }

    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }
}
