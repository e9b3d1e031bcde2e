//! Two evaluations of the same work, so that a judge sees the difference.

/// A lenient evaluation and a calibrated one of the same observations, with what makes the difference.
pub const FEW_SHOT: &str = "\
Two evaluations of one sign-up page. Both saw the same.

LENIENT (do not do this):
  Sending the empty form does nothing and says nothing. Few people will try that, so it is a detail. Anybody who is signed in
  can load anybody's invoice by changing the number in the address, but the service is for internal use.
  Completeness 4, Correctness 4, UX Quality 4, Security 3.
What is wrong with it: both problems were found, and both were argued away. The second alone is a hard fail.

CALIBRATED (do this):
  Sending the empty form: expected a message at each required field; the page stays as it is and says nothing.
    Correctness 2: the main path works, errors do not. UX Quality 2: it works and gives no feedback.
    Fix: check the fields in the page and name what is missing beside each.
  GET /invoices/1002 as the owner of 1001: expected 403; the answer is 200 with the other's invoice.
    Security 1: a critical hole. Fix: look invoices up by owner and number.
  Completeness 4: everything that was asked for is there. Code Quality 4: clean, with one repetition.
Why it is right: what was seen is held against what each score means, and nothing is excused.

Ways in which evaluations go wrong: looking at the surface only; explaining a problem away; giving the benefit of the doubt;
judging what was not asked for; approving before everything was looked at; talking oneself into a better score.
";
