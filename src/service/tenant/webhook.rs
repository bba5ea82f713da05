//! Webhooks of an organization: where it is told of ends of its work, and how it knows that it is told by us.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::store::EventKind;
use base::digest::hmac_sha256;
use base::hex::to_hex;

/// How every secret begins (Standard Webhooks).
const PREFIX: &str = "whsec_";
/// Bytes of a secret, at least and at most (Standard Webhooks).
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// One receiver of an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookReceiver {
    /// Names it in the interface and in logs.
    pub id: String,
    /// Where requests are sent. Parts of it may be secret.
    pub url: Url,
    /// Sign each request: the current one, and the one before it while receivers change.
    pub secrets: Vec<WebhookSecret>,
    /// What it is told of.
    pub events: Vec<EventKind>,
}

impl WebhookReceiver {
    /// What stands for its address in the store: an address that was changed is another receiver, with no failures yet.
    pub fn address(&self) -> String {
        to_hex(&Sha256::digest(self.url.as_str())[..8])
    }
}

/// Signs what is sent to a receiver.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecret")
    }
}

impl WebhookSecret {
    /// Reads a secret: `whsec_` and 24 to 64 bytes in base64.
    ///
    /// # Errors
    /// What it should be; never a part of it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let bytes = text.strip_prefix(PREFIX).and_then(|text| STANDARD.decode(text).ok());
        let bytes = bytes.filter(|bytes| SECRET_BYTES.contains(&bytes.len()));
        bytes.map(Self).ok_or("`whsec_` and 24 to 64 bytes in base64, such as `echo whsec_$(openssl rand -base64 32)`")
    }

    /// The signature of a message, as it stands in `webhook-signature`.
    pub fn sign(&self, id: &str, timestamp: u64, body: &str) -> String {
        let message = format!("{id}.{timestamp}.{body}");
        format!("v1,{}", STANDARD.encode(hmac_sha256(&self.0, &[&message])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_specification() {
        // the example of the specification's reference libraries
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}");
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(format!("{secret:?}"), "WebhookSecret");
    }

    #[test]
    fn secrets_have_one_form() {
        for bad in [
            "",
            "whsec_",
            "whsec_c2hvcnQ=",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
        ] {
            assert!(WebhookSecret::parse(bad).is_err(), "{bad}");
        }
        assert!(WebhookSecret::parse(&format!("whsec_{}", STANDARD.encode([1; 65]))).is_err());
    }
}
