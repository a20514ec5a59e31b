package cloud

import (
	"context"
	"fmt"
	"net/url"

	"gocloud.dev/secrets"
)

type absentKeys struct{}

func (absentKeys) OpenKeeperURL(_ context.Context, u *url.URL) (*secrets.Keeper, error) {
	return nil, fmt.Errorf("this engine was built without the packages of clouds; "+
		"install Pulumi from pulumi.com to use %s://", u.Scheme)
}

func init() {
	for _, scheme := range []string{"awskms", "azurekeyvault", "gcpkms", "hashivault"} {
		secrets.DefaultURLMux().RegisterKeeper(scheme, absentKeys{})
	}
}
