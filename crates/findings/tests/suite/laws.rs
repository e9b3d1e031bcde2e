//! Laws of merging.

use proptest::prelude::*;
use trueup_findings::{Finding, Findings, Location, Severity};

fn findings() -> impl Strategy<Value = Vec<Finding>> {
    prop::collection::vec(Finding::strategy(), 0..8)
}

proptest! {
    #[test]
    fn merging_is_idempotent_commutative_and_associative(a in findings(), b in findings(), c in findings()) {
        let [a, b, c] = [a, b, c].map(Findings::of);
        prop_assert_eq!(a.clone().merge(a.clone()), a.clone());
        prop_assert_eq!(a.clone().merge(b.clone()), b.clone().merge(a.clone()));
        prop_assert_eq!(a.clone().merge(b.clone()).merge(c.clone()), a.clone().merge(b.clone().merge(c.clone())));
        prop_assert_eq!(a.clone().merge(Findings::default()), a);
    }

    #[test]
    fn the_list_hangs_on_nothing_but_the_findings(list in findings(), at in any::<prop::sample::Index>()) {
        let mut turned = list.clone();
        if !turned.is_empty() {
            let at = at.index(turned.len());
            turned.rotate_left(at);
            turned.reverse();
        }
        prop_assert_eq!(Findings::of(list).list(), Findings::of(turned).list());
    }

    #[test]
    fn nothing_is_lost_and_the_worst_is_kept(a in findings(), b in findings()) {
        let merged = Findings::of(a.clone()).merge(Findings::of(b.clone())).list();
        for one in a.iter().chain(&b) {
            // What it became: the same item and cause, and its evidence, finders, severity and status or worse.
            let kept = merged.iter().any(|kept| {
                kept.fingerprint() == one.fingerprint()
                    && kept.severity() >= one.severity()
                    && kept.status() >= one.status()
                    && kept.confidence() >= one.confidence()
                    && kept.class() >= one.class()
                    && one.evidence().all(|evidence| kept.evidence().any(|known| known == evidence))
                    && one.found_by().all(|finder| kept.found_by().any(|known| known == finder))
                    && (one.fix().is_empty() || kept.fix() == one.fix())
                    && kept.steps().len() >= one.steps().len()
            });
            prop_assert!(kept, "{one:?} is in {merged:?}");
        }
        let key = |finding: &Finding| (finding.fingerprint(), finding.occurrence(), finding.fix().to_owned());
        let keys: std::collections::BTreeSet<_> = merged.iter().map(key).collect();
        prop_assert_eq!(keys.len(), merged.len(), "no two are one");
    }

    #[test]
    fn the_list_is_ordered_the_worst_first(list in findings()) {
        let merged = Findings::of(list).list();
        let rank = |finding: &Finding| (std::cmp::Reverse((finding.status(), finding.severity())), finding.location().clone());
        prop_assert!(merged.windows(2).all(|pair| rank(&pair[0]) <= rank(&pair[1])));
    }

    #[test]
    fn what_is_proposed_is_never_merged(list in findings()) {
        let findings = Findings::of(list);
        let merged = findings.list();
        for near in findings.near_duplicates() {
            prop_assert!(near.first < near.second && near.second < merged.len());
        }
        prop_assert_eq!(findings.len(), merged.len());
        prop_assert_eq!(findings.list(), merged);
    }

    #[test]
    fn documents_go_both_ways(list in findings()) {
        let merged = Findings::of(list).list();
        let read = trueup_findings::read(&trueup_findings::emit::json(&merged)).unwrap();
        prop_assert_eq!(&read, &merged);
        prop_assert_eq!(Findings::of(read).list(), merged);
    }

    #[test]
    fn a_fingerprint_survives_any_shift(line in 1u32..1000, by in 0u32..1000) {
        let at = |line| Finding::new("F", "t", Severity::Minor).caused_by("c").at(Location::file("a.rs", Some(line)));
        prop_assert_eq!(at(line).fingerprint(), at(line + by).fingerprint());
    }
}
